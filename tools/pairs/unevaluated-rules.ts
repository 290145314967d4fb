import type { CompiledSchema, SchemaRule } from "../../src/schema/object-validation.ts";

/** The rules of a schema that can't be evaluated whatever the object, transition rules apart. */
export function selectUnevaluatedRules(prepared: CompiledSchema): readonly SchemaRule[] {
  return prepared.rules.filter((rule) => prepared.programs.get(rule)?.kind === "none");
}
