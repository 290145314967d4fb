import { formatCanonicalJson, flagAt, type Json, type JsonObject, listAt, textAt } from "../../src/model/json.ts";
import { usesOldSelf } from "../../src/schema/rules/old-self.ts";

/** `transitionRule`: it compares with the value before a write, so it does not apply to stored objects. */
export type RuleKind = "rule" | "transitionRule";

/** The kinds of the rules of `after` whose text is not in `before`. Messages are not compared. */
export function findNewRules(before: JsonObject, after: JsonObject): readonly RuleKind[] {
  const identitiesBefore = new Set(getRules(before).map(getRuleIdentity));
  return getRules(after)
    .filter((rule) => !identitiesBefore.has(getRuleIdentity(rule)))
    .map((rule) => (isTransitionRule(rule) ? "transitionRule" : "rule"));
}

function getRules(schema: JsonObject): readonly Json[] {
  return listAt(schema, "x-kubernetes-validations");
}

function getRuleIdentity(rule: Json): string {
  return formatCanonicalJson([textAt(rule, "rule") ?? "", flagAt(rule, "optionalOldSelf") ?? false]);
}

function isTransitionRule(rule: Json): boolean {
  return flagAt(rule, "optionalOldSelf") !== true && usesOldSelf(textAt(rule, "rule") ?? "");
}
