import type { CompiledExpression } from "../../schema/cel/index.ts";
import { findOwn } from "../../model/optional.ts";
import { CLUSTER_FACTS } from "../facts.ts";
import { type Compilation, type Site, compileValue } from "./expressions.ts";
import { type Names, getReadType } from "./names.ts";
import { traceRead } from "./read-origins.ts";
import { type CompiledRead, compileRead } from "./reads.ts";

/** A fact of the cluster; its expression sees the values of its reads alone, in their order. */
export type CompiledFact = {
  readonly name: string;
  readonly reads: readonly CompiledRead[];
  readonly names: Names;
  readonly code: CompiledExpression;
};

/** Two facts with the same read have it under the same key. */
export function compileFact(compilation: Compilation, name: string): CompiledFact {
  const { reads = {}, expression = "null" } = findOwn(CLUSTER_FACTS, name) ?? {};
  const entries = Object.entries(reads);
  const names: Names = entries.map(([key, read]) => [key, getReadType(read)]);
  const origins = new Map(entries.map(([key, read]) => [key, traceRead(`@${key}`, read)]));
  const site: Site = { compilation, scope: { names, origins, isInScan: false }, place: ["cluster", name] };
  const compiled = entries.map(([key, read]) => compileRead(site, `@${key}`, read));
  return { name, reads: compiled, names, code: compileValue(site, expression).code };
}
