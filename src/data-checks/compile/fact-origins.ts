import { parseExpression } from "../../schema/cel/syntax/parser.ts";
import { CLUSTER_FACTS, type Fact } from "../facts.ts";
import { type Origin, ofMembers } from "../origin-parts.ts";
import { traceOrigin } from "../origins.ts";
import { CHECK_MACROS } from "../functions/table.ts";
import { traceRead } from "./read-origins.ts";

/** Where the facts of the cluster come from: of reads whose keys begin with "@". */
export const FACTS_ORIGIN: Origin = ofMembers(
  ...Object.entries(CLUSTER_FACTS).map(([name, fact]) => [name, traceFact(fact)] as const),
);

function traceFact({ reads, expression }: Fact): Origin {
  const names = new Map(Object.entries(reads).map(([key, read]) => [key, traceRead(`@${key}`, read)]));
  return traceOrigin(parseExpression(expression, CHECK_MACROS), { names, use: () => undefined });
}
