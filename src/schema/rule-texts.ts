import { isObject } from "../model/json.ts";
import { usesName } from "./cel-tokens.ts";
import { type Source, flagIn, listIn, refuse, step, textIn } from "./keywords.ts";

/**
 * The rules of x-kubernetes-validations that an API server evaluates for an object that nobody has changed. Transition rules are left
 * out: those that look at `oldSelf` and do not declare that it may be absent, which are skipped on create.
 */
export function ruleTexts(source: Source): readonly string[] {
  return listIn(source, "x-kubernetes-validations").flatMap((schema, i) => {
    const where = step(source, `x-kubernetes-validations[${i}]`);
    if (!isObject(schema)) return refuse(where, "is not an object");
    const rule = textIn({ schema, where }, "rule");
    const isTransition = !flagIn({ schema, where }, "optionalOldSelf") && usesName(rule, "oldSelf");
    return rule.trim() === "" || isTransition ? [] : [rule];
  });
}
