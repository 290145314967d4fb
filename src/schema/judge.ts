import { type JsonObject, at, byText } from "../model/json.ts";
import { isBlocked } from "./blocking.ts";
import { isLongName } from "./format-names.ts";
import type { Prepared, Rule } from "./node.ts";
import { OBJECT_BUDGET, checkRules } from "./cel/check.ts";
import { checkShapes } from "./shapes.ts";
import { type Reading, readStored } from "./stored.ts";
import { validate } from "./validate.ts";
import { type Errors, type NotEvaluated, type Verdict, addError, byPath, noErrors } from "./verdict.ts";
import { shown } from "./words.ts";

export type { Prepared, Rule } from "./node.ts";
export { type PrepareOptions, prepare } from "./prepare.ts";
export type { NotEvaluated, SchemaError, Verdict } from "./verdict.ts";

/**
 * What a kube-apiserver would say of a stored object under a schema: it is read as from etcd, then validated as a new object, status
 * included. The object is not changed, and not looked at for its apiVersion and kind: it must be one of the schema's version.
 * Integers beyond 2^53, which JSON.parse may have rounded, are never called wrong for their last digits.
 */
export function judge(prepared: Prepared, object: JsonObject): Verdict {
  const errors = noErrors();
  const reading: Reading = { path: [], pruned: [], errors, more: false };
  const stored = readStored(object, prepared.root, prepared.prunes, reading);
  checkName(object, errors);
  validate(prepared.root, stored, { path: [], errors, ranges: prepared.ranges });
  checkShapes(prepared.root, stored, [], errors);
  const met: Map<Rule, NotEvaluated> = new Map();
  if (!isBlocked(errors)) checkRules(prepared.root, stored, { path: [], errors, met, left: OBJECT_BUDGET });
  return {
    errors: errors.kept.toSorted(byPath),
    pruned: reading.pruned.toSorted(byText),
    rules: [...met.values()].toSorted((a, b) => byText(a.location, b.location) || byText(a.rule, b.rule)),
    more: errors.more || reading.more,
  };
}

/** The rules of a schema but transition rules, wherever an object may have a value for them. */
export function rulesOf(prepared: Prepared): readonly Rule[] {
  return prepared.rules;
}

function checkName(object: JsonObject, errors: Errors): void {
  const name = at(object, "metadata", "name");
  if (typeof name !== "string" || isLongName(name)) return;
  const isEmpty = name === "";
  const message = isEmpty ? "A value is required" : `The name ${shown(name)} must be a DNS subdomain in lower case`;
  addError(errors, { type: isEmpty ? "FieldValueRequired" : "FieldValueInvalid", path: "metadata.name", message });
}
