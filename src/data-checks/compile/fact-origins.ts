import { findOwn } from "../../model/optional.ts";
import { parseExpression } from "../../schema/cel/index.ts";
import type { CheckDefinition } from "../definition.ts";
import { CLUSTER_FACTS, listMentionedFacts } from "../facts.ts";
import { CHECK_MACROS } from "../functions/table.ts";
import { type Origin, ofMembers } from "../origin-parts.ts";
import { traceOrigin } from "../origins.ts";
import { traceRead } from "./read-origins.ts";

const traced = new Map<string, Origin>();

/** Where the facts of the cluster that a check may name come from: of reads whose keys begin with "@". */
export function traceFacts(spec: CheckDefinition["spec"]): Origin {
  return ofMembers(...listMentionedFacts(spec).map((name) => [name, traced.get(name) ?? traceFact(name)] as const));
}

function traceFact(name: string): Origin {
  const { reads, expression } = findOwn(CLUSTER_FACTS, name) ?? { reads: {}, expression: "null" };
  const names = new Map(Object.entries(reads).map(([key, read]) => [key, traceRead(`@${key}`, read)]));
  const origin = traceOrigin(parseExpression(expression, CHECK_MACROS), { names, use: () => undefined });
  traced.set(name, origin);
  return origin;
}
