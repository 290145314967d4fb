import { isObject } from "../model/json.ts";
import { usesName } from "./cel-tokens.ts";
import { type Source, flagIn, listIn, refuse, step, textIn } from "./keywords.ts";
import type { RuleText } from "./node.ts";

/**
 * The rules of x-kubernetes-validations that an API server evaluates for an object that nobody has changed. Transition rules are left
 * out: those that look at `oldSelf` and do not declare that it may be absent, which are skipped on create.
 */
export function ruleTexts(source: Source): readonly RuleText[] {
  return listIn(source, "x-kubernetes-validations").flatMap((schema, i) => {
    const where = step(source, `x-kubernetes-validations[${i}]`);
    if (!isObject(schema)) return refuse(where, "is not an object");
    const from: Source = { schema, where };
    const rule = textIn(from, "rule");
    const isTransition = !flagIn(from, "optionalOldSelf") && usesName(rule, "oldSelf");
    if (rule.trim() === "" || isTransition) return [];
    const [message, messageExpression] = [textIn(from, "message"), textIn(from, "messageExpression")];
    return [{ rule, message, messageExpression, reason: textIn(from, "reason"), fieldPath: textIn(from, "fieldPath") }];
  });
}
