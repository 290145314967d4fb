import {
  type Each,
  type Get,
  type Read,
  type Reads,
  each,
  get,
  onlyOn,
  withAnnotations,
  withFields,
} from "../../model/read.ts";
import { isAnyStep } from "../../model/needed-fields.ts";
import { type JsonObject, parseObject } from "../../model/json.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { takeCharacters } from "../../model/text.ts";
import type { CompiledCheck } from "../compile/compile.ts";
import type { CompiledRead } from "../compile/reads.ts";
import { type ReadFields, type UsedFields, keepUsedFields, listNeededFields } from "../compile/fields.ts";
import type { CheckBudget, CheckLimits, ReadScope } from "./limits.ts";
import { createBudget, evaluateForObject, findAccess, forgetObject, isInNamespaces } from "./limits.ts";
import type { CompiledExpression, ErrorValue, ExpressionOutcome, CelValue } from "../../schema/cel/index.ts";
import { forgetParts, getListValues, jsonToValue, buildError, isError, isList } from "../../schema/cel/index.ts";
import type { CheckRules, ReadDefinition } from "../format/definition.ts";
import { CLUSTER_FACTS, listMentionedFacts } from "../compile/cluster-facts.ts";

export type CheckRead = Get<KeptItem> | Each<KeptItem>;

/** The limits of one check. */
export type ReadLimits = CheckLimits & { readonly id: string };

/** The reads for which `isWanted`, by key, as far as they are allowed. Each has a budget of its own, which begins anew with its list. */
export function buildReads(
  { reads, fields }: CompiledCheck,
  isWanted: (read: CompiledRead) => boolean,
  limits: ReadLimits,
): Readonly<Record<string, CheckRead>> {
  const allowed = reads.filter((read) => isOfCluster(read) && findAccess(read, limits.scope) !== "none");
  return Object.fromEntries(
    allowed.filter(isWanted).map((read) => [read.key, buildRead(read, requireFields(fields, read), limits)]),
  );
}

/** Whether it needs a request. */
export function isOfCluster({ definition }: Pick<CompiledRead, "definition">): boolean {
  return definition.of === undefined;
}

export function requireFields(fields: CompiledCheck["fields"], { key }: CompiledRead): ReadFields {
  const own = fields.get(key);
  if (own === undefined) throw new Error(`${key} has no fields`);
  return own;
}

export function buildRead(read: CompiledRead, fields: ReadFields, limits: ReadLimits): CheckRead {
  const { list, get: resource, name = "", only } = read.definition;
  const built =
    list === undefined
      ? get(resource ?? "", name, (object) => keepObject(object, fields))
      : buildList(read, list, fields, limits);
  const declared = {
    ...withFields(listNeededFields(fields.seen), withAnnotations(listAnnotations(fields.seen), built)),
    isReducedEnough: limits.pool === undefined,
  };
  return only === undefined ? declared : onlyOn(only, declared);
}

function buildList(
  read: CompiledRead,
  list: string,
  fields: ReadFields,
  { id, pool, scope }: ReadLimits,
): Each<KeptItem> {
  const { soundInPart, metadataOnly } = read.definition;
  const isForeign = (object: JsonObject): boolean =>
    scope !== undefined && findAccess(read, scope) === "namespaces" && !isInNamespaces(object, scope);
  let budget = createBudget(pool);
  let isFull = false;
  const keep = (object: JsonObject): KeptItem | undefined => {
    if (isFull || isForeign(object)) return undefined;
    const kept = keepListed(read, fields, budget, object);
    // One object tells that nothing more was judged.
    if (kept?.fault?.reason === "CostLimit" && budget.left() <= 0) isFull = true;
    if (kept === undefined || pool === undefined || pool.take(id, countCharacters(kept))) return kept;
    isFull = true;
    return {
      ...kept,
      fault: { reason: "TooManyObjects", message: "the checks that are not preflight's own keep more than 16 MiB" },
    };
  };
  return {
    ...each(list, keep),
    begin: () => void ([budget, isFull] = [createBudget(pool), false]),
    done: forgetLatest,
    soundInPart,
    isMetadataOnly: metadataOnly,
  };
}

function countCharacters({ text, keys }: KeptItem): number {
  return keys.flat().reduce((sum, key) => sum + key.length, text.length);
}

/** The annotations whose values are used, of the object or of a template in it. */
function listAnnotations({ members }: UsedFields): readonly string[] {
  const own = [...(members.get("annotations")?.members ?? [])].filter(
    ([name, used]) => !isAnyStep(name) && used.isWhole,
  );
  return [...own.map(([name]) => name), ...[...members.values()].flatMap(listAnnotations)];
}

/** What is kept of an object that could not be read, which only names it. */
export function keepFault({ apiVersion, kind, namespace, name }: ObjectRef, fault: KeptFault): KeptItem {
  return { text: JSON.stringify({ apiVersion, kind, metadata: { namespace, name } }), keys: NO_KEYS, fault };
}

/** What is kept of an object: what rules use of it, as JSON, which takes a third of the object's memory, and its keys by index. */
export type KeptItem = {
  readonly text: string;
  readonly keys: readonly (readonly string[])[];
  /** Why it could not be judged. */
  readonly fault?: KeptFault;
};

type KeptFault = {
  readonly reason: "NotUnderstood" | "CostLimit" | "TooLarge" | "TooManyObjects" | "Unreadable";
  readonly message: string;
};

function keepObject(object: JsonObject, { kept }: ReadFields): KeptItem {
  return { text: JSON.stringify(keepUsedFields(object, kept)), keys: NO_KEYS };
}

const NO_KEYS: KeptItem["keys"] = [];

export function getKeptObject({ text }: KeptItem): JsonObject {
  return parseObject(text) ?? {};
}

/** The object that was visited last: the checks that read a list see each of its objects one after another, and share its value. */
let latest: { readonly object: JsonObject; readonly value: CelValue } | undefined;

function findValue(object: JsonObject): CelValue {
  if (latest?.object !== object) latest = { object, value: jsonToValue(object, "absent") };
  return latest.value;
}

function forgetLatest(): void {
  latest = undefined;
  forgetObject();
  forgetParts();
}

/** What is kept of one object of a list; undefined if `where` is false. An object for which it has no value is kept with its fault. */
function keepListed(
  { key, where, indexes }: CompiledRead,
  fields: ReadFields,
  budget: CheckBudget,
  object: JsonObject,
): KeptItem | undefined {
  if (where === undefined && indexes.length === 0) return keepObject(object, fields);
  const value = findValue(object);
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

/** What stands for a value that costs more than an expression may, or takes more memory. */
export const COST_LIMIT = buildError("it costs too much to evaluate");
export const MEMORY_LIMIT = buildError("it takes too much memory to evaluate");

/** Whether a value is missing because of what its evaluation takes. */
export function isOverLimit({ text }: ErrorValue): boolean {
  return text === COST_LIMIT.text || text === MEMORY_LIMIT.text;
}

function evaluateFor(value: CelValue, code: CompiledExpression, budget: CheckBudget): CelValue {
  return toValue(evaluateForObject(code, value, budget));
}

/** The value of an evaluation; one that has none is an error. */
export function toValue(result: ExpressionOutcome): CelValue {
  return result.kind === "value" ? result.value : toError(result);
}

/** Errors may quote what they are about. */
const LONGEST_FAULT = 300;

export function toError({ kind, text, missing }: Exclude<ExpressionOutcome, { kind: "value" }>): ErrorValue {
  if (kind === "costLimit") return text === MEMORY_LIMIT.text ? MEMORY_LIMIT : COST_LIMIT;
  return { ...buildError(takeCharacters(text, LONGEST_FAULT)), missing };
}

function toFault(value: CelValue, place: string): KeptFault {
  const reason = isError(value) && isOverLimit(value) ? "CostLimit" : "NotUnderstood";
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

/** The reads of rules before their expressions are compiled: `find` compiles them, for whoever needs more of a read than its path. */
export function deferReads(
  rules: CheckRules,
  scope: ReadScope | undefined,
  find: (key: string) => CheckRead | undefined,
): Reads {
  const ofFacts = listMentionedFacts(rules).flatMap((name) =>
    Object.entries(CLUSTER_FACTS[name]?.reads ?? {}).map(([key, read]) => [`@${key}`, read] as const),
  );
  const definitions: readonly (readonly [string, ReadDefinition])[] = [
    ...ofFacts,
    ...Object.entries(rules.reads ?? {}),
  ];
  const allowed = definitions.filter(
    ([key, definition]) => isOfCluster({ definition }) && findAccess({ key, definition }, scope) !== "none",
  );
  return Object.fromEntries(allowed.map(([key, read]) => [key, deferRead(read, () => find(key))]));
}

function deferRead(
  { list, get: resource = "", name = "", only }: ReadDefinition,
  find: () => CheckRead | undefined,
): Read {
  const built =
    list === undefined
      ? get(resource, name, (object) => find()?.keep(object))
      : each(list, (object) => find()?.keep(object));
  return {
    ...built,
    only,
    get annotations() {
      return find()?.annotations ?? [];
    },
    get fields() {
      return find()?.fields ?? [];
    },
  };
}
