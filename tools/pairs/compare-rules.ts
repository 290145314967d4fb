import { canonical, flagAt, type Json, type JsonObject, listAt, textAt } from "../../src/model/json.ts";
import { usesName } from "../../src/schema/cel-tokens.ts";

/** `transitionRule`: it looks at the value before a write, so it says nothing of an object that nobody changes. */
export type RuleKind = "rule" | "transitionRule";

/** The kinds of the rules that stand in `after` and not, word for word, in `before`. Messages are left aside. */
export function newRules(before: JsonObject, after: JsonObject): readonly RuleKind[] {
  const known = new Set(rulesIn(before).map(identity));
  return rulesIn(after)
    .filter((rule) => !known.has(identity(rule)))
    .map((rule) => (isTransition(rule) ? "transitionRule" : "rule"));
}

function rulesIn(schema: JsonObject): readonly Json[] {
  return listAt(schema, "x-kubernetes-validations");
}

function identity(rule: Json): string {
  return canonical([textAt(rule, "rule") ?? "", flagAt(rule, "optionalOldSelf") ?? false]);
}

function isTransition(rule: Json): boolean {
  return flagAt(rule, "optionalOldSelf") !== true && usesName(textAt(rule, "rule") ?? "", "oldSelf");
}
