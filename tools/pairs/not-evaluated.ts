import type { Prepared, Rule } from "../../src/schema/judge.ts";

/** The rules of a schema that our engine can't evaluate, transition rules apart. It evaluates none yet. */
export function notEvaluated(prepared: Prepared): readonly Rule[] {
  return prepared.rules;
}
