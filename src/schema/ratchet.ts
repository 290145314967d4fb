import { type Json, type JsonObject, isObject } from "../model/json.ts";
import { isBlocked } from "./blocking.ts";
import { OBJECT_BUDGET, checkRules } from "./cel/check.ts";
import { type Correlated, correlate, fieldOf, isUnchanged, itemOf } from "./correlated.ts";
import type { Prepared } from "./node.ts";
import type { Below, Scope } from "./scope.ts";
import { checkShapes } from "./shapes.ts";
import { type Reading, readStored } from "./stored.ts";
import { validate } from "./validate.ts";
import { type Errors, type SchemaError, byPath, mergeErrors, noErrors } from "./verdict.ts";

/** The first Kubernetes minor that ratchets without being told to (KEP-4008, CRDValidationRatcheting). */
const SINCE = 30;

/** Does an API server of this Kubernetes version ("1.33.4") let a value stand that a write doesn't change? */
export function ratchets(kubernetes: string): boolean {
  const minor = /^v?1\.(\d{1,3})/.exec(kubernetes)?.[1];
  return minor === undefined || Number(minor) >= SINCE;
}

/** What still fails where a stored object is written back as it is; sorted by path. */
export type Remaining = { readonly errors: readonly SchemaError[]; readonly more: boolean };

/**
 * What a kube-apiserver that ratchets would still refuse in an update of a stored object that changes nothing but a label: faults of
 * the whole object, and of values that it can't match with stored ones. Lists that are sets or maps are left alone where the stored ones
 * are wrong already, embedded resources never, and the name of an object is not looked at again.
 */
export function remaining(prepared: Prepared, object: JsonObject): Remaining {
  const errors = noErrors();
  const { root } = prepared;
  const reading: Reading = { path: [], pruned: [], errors, more: false };
  const old = readStored(object, root, prepared.prunes, reading);
  const value = relabelled(old);
  const correlated = correlate(root, value, old);
  const below = ratcheting(correlated, true);
  validate(root, value, { path: [], errors, ranges: prepared.ranges, below });
  checkShapes(root, value, [], errors, false);
  if (!isBlocked(errors)) {
    const within = { current: correlated, nearest: undefined };
    checkRules(root, value, { path: [], errors, met: new Map(), left: OBJECT_BUDGET, within });
  }
  return { errors: errors.kept.toSorted(byPath), more: errors.more };
}

/** Labels other than before, whatever they were. */
function relabelled(value: Json): Json {
  if (!isObject(value)) return value;
  const metadata = isObject(value["metadata"]) ? value["metadata"] : {};
  return { ...value, metadata: { ...metadata, labels: { "": "" } } };
}

/** Goes on with what could be matched, and leaves out the errors of what didn't change. What matches nothing counts as new, all of it. */
function ratcheting(within: Correlated, isRoot: boolean): Below {
  return (node, value, step, scope) => {
    const isTypeMeta = isRoot && (step === "apiVersion" || step === "kind");
    const child = typeof step === "number" ? itemOf(within, step) : fieldOf(within, step);
    if (child === undefined || isTypeMeta) return validate(node, value, { ...scope, below: undefined });
    const errors = noErrors();
    const inner: Scope = { ...scope, errors, below: ratcheting(child, false) };
    validate(node, child.value, inner);
    if (errors.kept.length > 0 && isUnchanged(child)) forgive(scope.errors, errors);
    else mergeErrors(scope.errors, errors);
  };
}

/** What passed still counts where the closest alternative is looked for. */
function forgive(into: Errors, from: Errors): void {
  into.matches += from.matches;
}
