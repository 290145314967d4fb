import { type JsonObject, parseObject } from "../../model/json.ts";
import {
  type CompiledExpression,
  type ErrorValue,
  type Evaluation,
  evaluateExpression,
  PER_CALL_LIMIT,
  getListValues,
  jsonToValue,
  type CelValue,
  buildError,
  isError,
  isList,
} from "../../schema/cel/index.ts";
import type { CompiledRead } from "../compile/reads.ts";
import { type ReadFields, keepUsedFields } from "../fields.ts";
import type { CostBudget } from "./budget.ts";

/** What is kept of an object: what rules use of it, as JSON, which takes a third of the object's memory, and its keys by index. */
export type KeptItem = {
  readonly text: string;
  readonly keys: readonly (readonly string[])[];
  /** Why it could not be judged. */
  readonly fault?: KeptFault;
};

export type KeptFault = { readonly reason: "NotUnderstood" | "CostLimit" | "TooManyObjects"; readonly message: string };

export function keepObject(object: JsonObject, { kept }: ReadFields): KeptItem {
  return { text: JSON.stringify(keepUsedFields(object, kept)), keys: NO_KEYS };
}

const NO_KEYS: KeptItem["keys"] = [];

export function getKeptObject({ text }: KeptItem): JsonObject {
  return parseObject(text) ?? {};
}

/** What is kept of one object of a list; undefined if `where` is false. An object for which it has no value is kept with its fault. */
export function keepListed(
  { key, where, indexes }: CompiledRead,
  fields: ReadFields,
  budget: CostBudget,
  object: JsonObject,
): KeptItem | undefined {
  if (where === undefined && indexes.length === 0) return keepObject(object, fields);
  const value = jsonToValue(object, "absent");
  const isKept = where === undefined ? true : evaluateFor(value, where, budget);
  if (isKept === false) return undefined;
  const place = `spec.reads.${key}`;
  const keys = indexes.map(([name, code]) => toKeys(evaluateFor(value, code, budget), `${place}.index.${name}`));
  const failed = isKept === true ? undefined : toFault(isKept, `${place}.where`);
  const fault = failed ?? keys.find((one) => one.fault !== undefined)?.fault;
  const { text } = keepObject(object, fields);
  const kept = { text, keys: keys.length === 0 ? NO_KEYS : keys.map(({ texts }) => texts) };
  return fault === undefined ? kept : { ...kept, fault };
}

/** What stands for a value that costs more than an expression may. */
export const COST_LIMIT = buildError("it costs too much to evaluate");

function evaluateFor(value: CelValue, code: CompiledExpression, budget: CostBudget): CelValue {
  const result = evaluateExpression(code, [value], Math.min(PER_CALL_LIMIT, budget.left()));
  budget.spend(result.cost);
  return toValue(result);
}

/** The value of an evaluation; one that has none is an error. */
export function toValue(result: Evaluation): CelValue {
  return result.kind === "value" ? result.value : toError(result);
}

export function toError({ kind, text, missing }: Exclude<Evaluation, { kind: "value" }>): ErrorValue {
  return kind === "costLimit" ? COST_LIMIT : { ...buildError(text), missing };
}

function toFault(value: CelValue, place: string): KeptFault {
  const reason = value === COST_LIMIT ? "CostLimit" : "NotUnderstood";
  return { reason, message: `${place} has no value: ${isError(value) ? value.text : "it is not of the right type"}` };
}

function toKeys(value: CelValue, place: string): { readonly texts: readonly string[]; readonly fault?: KeptFault } {
  // A list that is filtered has room for more, which would be kept for every object.
  if (typeof value === "string") return { texts: [value] };
  const values = isList(value) ? getListValues(value) : [value];
  const texts = values.filter((one) => typeof one === "string");
  if (texts.length === values.length) return { texts };
  return { texts: [], fault: toFault(values.find((one) => isError(one)) ?? null, place) };
}
