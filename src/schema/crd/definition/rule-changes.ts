import { type JsonObject, flagAt, isObject, listAt, textAt } from "../../../model/json.ts";
import { CompileError, tokenize } from "../../cel/index.ts";
import { usesOldSelf } from "../rules/rule-program.ts";
import { shorten } from "./keywords.ts";

type RuleChange = { readonly kind: "mayBeStricter" | "rule" | "transitionRule"; readonly message: string };

/**
 * The rules that a schema did not have, whatever their order, message and white space. One that stands where another is gone may only have
 * been widened.
 */
export function compareRules(before: JsonObject, after: JsonObject): readonly RuleChange[] {
  const old = listRules(before);
  const now = listRules(after);
  const known = new Set(old.map(({ key }) => key));
  const kept = new Set(now.map(({ key }) => key));
  const hasLost = old.some(({ key }) => !kept.has(key));
  return now.filter(({ key }) => !known.has(key)).map(({ rule }) => describe(rule, hasLost));
}

function describe(rule: JsonObject, hasLost: boolean): RuleChange {
  const text = textAt(rule, "rule");
  const message = textAt(rule, "message");
  const shown = `${shorten(text)}${message === undefined ? "" : ` (${message})`}`;
  if (hasLost)
    return { kind: "mayBeStricter", message: `It has the rule ${shown} instead of another one, which may allow less.` };
  const isTransition = flagAt(rule, "optionalOldSelf") !== true && usesOldSelf(text ?? "");
  return { kind: isTransition ? "transitionRule" : "rule", message: `It has the new rule ${shown}.` };
}

type Rule = { readonly rule: JsonObject; readonly key: string };

function listRules(schema: JsonObject): readonly Rule[] {
  return listAt(schema, "x-kubernetes-validations").flatMap((rule) =>
    isObject(rule) ? [{ rule, key: buildKey(rule) }] : [],
  );
}

function buildKey(rule: JsonObject): string {
  const flags = flagAt(rule, "optionalOldSelf") === true ? "optional " : "";
  return `${flags}${splitWords(textAt(rule, "rule") ?? "")}`;
}

/** Without white space and comments. */
function splitWords(rule: string): string {
  try {
    return JSON.stringify(tokenize(rule).map(({ kind, text }) => [kind, text]));
  } catch (error) {
    if (error instanceof CompileError) return rule;
    throw error;
  }
}
