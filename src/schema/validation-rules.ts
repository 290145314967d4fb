import { isObject } from "../model/json.ts";
import { type JsonSchema, getFlag, getList, rejectSchema, joinKeyword, getText } from "./json-schema.ts";
import { usesOldSelf } from "./rules/old-self.ts";
import type { ValidationRule } from "./structural/structural-schema.ts";

/** The rules of x-kubernetes-validations, transition rules included. Empty rules are left out. */
export function parseValidationRules(json: JsonSchema): readonly ValidationRule[] {
  return getList(json, "x-kubernetes-validations").flatMap((keywords, i) => {
    const path = joinKeyword(json, `x-kubernetes-validations[${i}]`);
    if (!isObject(keywords)) return rejectSchema(path, "is not an object");
    const ruleJson: JsonSchema = { keywords, path };
    const rule = getText(ruleJson, "rule");
    if (rule.trim() === "") return [];
    const [message, messageExpression] = [getText(ruleJson, "message"), getText(ruleJson, "messageExpression")];
    const [reason, fieldPath] = [getText(ruleJson, "reason"), getText(ruleJson, "fieldPath")];
    return [{ rule, message, messageExpression, reason, fieldPath, usesOldSelf: classifyOldSelfUse(rule, ruleJson) }];
  });
}

function classifyOldSelfUse(rule: string, ruleJson: JsonSchema): ValidationRule["usesOldSelf"] {
  if (!usesOldSelf(rule)) return "no";
  return getFlag(ruleJson, "optionalOldSelf") ? "perhaps" : "always";
}
