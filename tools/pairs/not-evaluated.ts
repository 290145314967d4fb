import type { Prepared, Rule } from "../../src/schema/judge.ts";

/** The rules of a schema that can't be evaluated whatever the object, transition rules apart. */
export function notEvaluated(prepared: Prepared): readonly Rule[] {
  return prepared.rules.filter(({ program }) => program.kind === "none");
}
