import { type Json, type JsonObject, at, compareText, isList, isObject, textAt } from "../../src/model/json.ts";
import { type PathSegment, formatDottedPath } from "../../src/schema/openapi/index.ts";
import type { AdminResponse } from "../api-server/admin-api.ts";
import { type Answers, listCauses, passes } from "./writes.ts";

/** The worst that an update does to writes of an object, from harmless to fatal. */
export const EFFECTS = ["none", "ratcheted", "applyRefused", "rejected", "unreadable"] as const;
export type ObjectEffect = (typeof EFFECTS)[number];

/** What became of an object, or what was said of it. */
export type ObjectFate = {
  readonly effect: ObjectEffect;
  /** The fields that are refused. */
  readonly refused: readonly string[];
  /** The fields that are gone, apart from those of the status and those that held null, with which nothing is lost. */
  readonly dropped: readonly string[];
  /** The fields that are gone and held null. */
  readonly nulls: readonly string[];
  /** Does another number of replicas fail because of other fields, and a label pass? */
  readonly isScaleRefused: boolean;
  /** Does an apply fail because of a version that managed fields name? */
  readonly isVersionGone: boolean;
  /** What the API server said first. */
  readonly message: string;
};

export const UNTOUCHED: ObjectFate = {
  effect: "none",
  refused: [],
  dropped: [],
  nulls: [],
  isScaleRefused: false,
  isVersionGone: false,
  message: "",
};

/** Only what passed before the update counts. `replicas`: the field that the scale subresource writes. */
export function judgeAnswers(
  before: Answers,
  after: Answers,
  statusAnew: AdminResponse | undefined,
  replicas: string | undefined,
): ObjectFate {
  const gone = passes(after.read) ? findGone(before.read.body, after.read.body) : [];
  // Setting a field that is dropped fails, which is told by what is dropped.
  const isOfGone = (name: keyof Answers): boolean =>
    gone.length > 0 && /cannot be handled as/.test(textAt(after[name].body, "message") ?? "");
  const fails = (name: keyof Answers): boolean => passes(before[name]) && !passes(after[name]) && !isOfGone(name);
  const scaleCauses =
    fails("scale") && passes(after.label) ? listCauses(after.scale).filter((field) => field !== replicas) : [];
  const isScaleRefused = scaleCauses.length > 0;
  const failed = [
    ...WRITES.filter((name) => fails(name) && (name !== "applyWhole" || gone.length === 0)).map((name) => after[name]),
    ...(statusAnew && !passes(statusAnew) ? [statusAnew] : []),
  ];
  const isVersionGone = fails("apply") && /invalid group\/version/.test(JSON.stringify(after.apply.body));
  const known = new Set(listCauses(before.copy));
  const refused = [...failed.flatMap(listCauses), ...scaleCauses].filter((field) => !known.has(field));
  const effect = findEffect(fails, statusAnew, gone.length > 0, isVersionGone);
  return {
    effect: effect === "none" && isScaleRefused ? "ratcheted" : effect,
    refused: [...new Set(refused)].toSorted(),
    dropped: gone.filter(({ value }) => value !== null).map(({ path }) => path),
    nulls: gone.filter(({ value }) => value === null).map(({ path }) => path),
    isScaleRefused,
    isVersionGone,
    message: textAt(failed[0]?.body, "message") ?? "",
  };
}

const WRITES = ["read", "remove", "label", "replace", "relabel", "status", "apply", "copy", "applyWhole"] as const;

function findEffect(
  fails: (name: keyof Answers) => boolean,
  statusAnew: AdminResponse | undefined,
  lacksFields: boolean,
  isVersionGone: boolean,
): ObjectEffect {
  if (fails("read") || fails("remove")) return "unreadable";
  if (fails("label") || fails("replace") || fails("relabel") || fails("status")) return "rejected";
  if (fails("apply") && !isVersionGone) return "applyRefused";
  // Server-side apply refuses fields that the schema lacks, which is told by what is dropped.
  const isFrozen = fails("copy") || (fails("applyWhole") && !lacksFields && !isVersionGone);
  return isFrozen || (statusAnew !== undefined && !passes(statusAnew)) ? "ratcheted" : "none";
}

type GoneField = { readonly path: string; readonly value: Json };

/** The topmost fields of the first that the second lacks. */
function findGone(before: JsonObject, after: JsonObject): readonly GoneField[] {
  const found: GoneField[] = [];
  for (const [part, value] of Object.entries(before))
    if (part !== "metadata" && part !== "status") collectGone(value, at(after, part), [part], found);
  return found.toSorted((a, b) => compareText(a.path, b.path));
}

function collectGone(value: Json, after: Json | undefined, path: readonly PathSegment[], found: GoneField[]): void {
  if (after === undefined) found.push({ path: formatDottedPath(path), value });
  else if (isList(value) && isList(after))
    for (const [i, item] of value.entries()) collectGone(item, after[i], [...path, i], found);
  else if (isObject(value) && isObject(after))
    for (const [key, item] of Object.entries(value)) collectGone(item, at(after, key), [...path, key], found);
}
