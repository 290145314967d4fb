import { type Json, isObject } from "../../../model/json.ts";
import type { ScalePaths } from "../../../model/crd.ts";
import { type ErrorList, addError, isInt64, formatValue } from "../../openapi/index.ts";

const MAX_REPLICAS = 2 ** 31 - 1;

/**
 * Validates what a scale subresource reads, as an API server does in every write, whatever the schema says (ValidateScaleSpec and
 * ValidateScaleStatus of apiextensions-apiserver's customresource). No such fault is tolerated because it was stored before.
 */
export function validateScale({ spec, status, selector }: ScalePaths, object: Json, errors: ErrorList): void {
  const refuse = (path: string, message: string): void =>
    addError(errors, { type: "FieldValueInvalid", path, message });
  for (const path of [spec, status]) {
    const value = findValue(path, object);
    if (value !== undefined && !isReplicas(value))
      refuse(trimDot(path), `The scale subresource reads a number of replicas here, and this is ${describe(value)}`);
  }
  const value = selector === undefined ? undefined : findValue(selector, object);
  if (selector === undefined || value === undefined || typeof value === "string") return;
  const message = `The scale subresource reads a label selector as text here, and this is ${describe(value)}`;
  refuse(trimDot(selector), message);
}

function isReplicas(value: Json | typeof NO_OBJECT): boolean {
  return typeof value === "number" && isInt64(value) && value >= 0 && value <= MAX_REPLICAS;
}

function describe(value: Json | typeof NO_OBJECT): string {
  return value === NO_OBJECT ? "below a value that is no object" : formatValue(value);
}

const NO_OBJECT = Symbol("below a value that is no object");

/** Undefined if a field of the path is absent, or null before its end. */
function findValue(path: string, object: Json): Json | typeof NO_OBJECT | undefined {
  let here: Json = object;
  for (const step of trimDot(path).split(".")) {
    if (here === null) return undefined;
    if (!isObject(here)) return NO_OBJECT;
    const next = Object.hasOwn(here, step) ? here[step] : undefined;
    if (next === undefined) return undefined;
    here = next;
  }
  return here;
}

function trimDot(path: string): string {
  return path.startsWith(".") ? path.slice(1) : path;
}
