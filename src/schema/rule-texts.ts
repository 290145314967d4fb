import { isObject } from "../model/json.ts";
import { usesName } from "./cel-tokens.ts";
import { type Source, flagIn, listIn, refuse, step, textIn } from "./keywords.ts";
import type { RuleText } from "./node.ts";

/** The rules of x-kubernetes-validations, transition rules included; empty ones are no rules. */
export function ruleTexts(source: Source): readonly RuleText[] {
  return listIn(source, "x-kubernetes-validations").flatMap((schema, i) => {
    const where = step(source, `x-kubernetes-validations[${i}]`);
    if (!isObject(schema)) return refuse(where, "is not an object");
    const from: Source = { schema, where };
    const rule = textIn(from, "rule");
    if (rule.trim() === "") return [];
    const [message, messageExpression] = [textIn(from, "message"), textIn(from, "messageExpression")];
    const [reason, fieldPath] = [textIn(from, "reason"), textIn(from, "fieldPath")];
    return [{ rule, message, messageExpression, reason, fieldPath, looksBack: looksBack(rule, from) }];
  });
}

function looksBack(rule: string, from: Source): RuleText["looksBack"] {
  if (!usesName(rule, "oldSelf")) return "no";
  return flagIn(from, "optionalOldSelf") ? "perhaps" : "always";
}
