import { type Json, type JsonObject, at, isList, isObject, textAt } from "../../src/model/json.ts";
import { type PathSegment, formatDottedPath } from "../../src/schema/structural/field-path.ts";
import type { AdminResponse } from "../../test/support/admin-api.ts";
import { type Answers, listCauses, passes } from "./writes.ts";

/** The worst that an update does to writes of an object, from harmless to fatal. */
export const EFFECTS = ["none", "ratcheted", "applyRefused", "rejected", "unreadable"] as const;
export type ObjectEffect = (typeof EFFECTS)[number];

/** What became of an object, or what was said of it. */
export type ObjectFate = {
  readonly effect: ObjectEffect;
  /** The fields that are refused. */
  readonly refused: readonly string[];
  /** The fields that are gone, apart from those of the status. */
  readonly dropped: readonly string[];
  /** Does an apply fail because of a version that managed fields name? */
  readonly isVersionGone: boolean;
  /** What the API server said first. */
  readonly message: string;
};

export const UNTOUCHED: ObjectFate = {
  effect: "none",
  refused: [],
  dropped: [],
  isVersionGone: false,
  message: "",
};

/** Only what passed before the update counts. */
export function judgeAnswers(before: Answers, after: Answers, statusAnew: AdminResponse | undefined): ObjectFate {
  const fails = (name: keyof Answers): boolean => passes(before[name]) && !passes(after[name]);
  const failed = [
    ...(["read", "remove", "label", "replace", "relabel", "status", "apply", "copy", "applyWhole"] as const)
      .filter(fails)
      .map((name) => after[name]),
    ...(statusAnew && !passes(statusAnew) ? [statusAnew] : []),
  ];
  const dropped = passes(after.read) ? findDropped(before.read.body, after.read.body) : [];
  const isVersionGone = fails("apply") && /invalid group\/version/.test(JSON.stringify(after.apply.body));
  const known = new Set(listCauses(before.copy));
  const refused = failed.flatMap(listCauses).filter((field) => !known.has(field));
  const effect = findEffect(fails, statusAnew, dropped, isVersionGone);
  const message = textAt(failed[0]?.body, "message") ?? "";
  return { effect, refused: [...new Set(refused)].toSorted(), dropped, isVersionGone, message };
}

function findEffect(
  fails: (name: keyof Answers) => boolean,
  statusAnew: AdminResponse | undefined,
  dropped: readonly string[],
  isVersionGone: boolean,
): ObjectEffect {
  if (fails("read") || fails("remove")) return "unreadable";
  if (fails("label") || fails("replace") || fails("relabel") || fails("status")) return "rejected";
  if (fails("apply") && !isVersionGone) return "applyRefused";
  // Server-side apply refuses fields that the schema lacks, which is told by what is dropped.
  const isFrozen = fails("copy") || (fails("applyWhole") && dropped.length === 0 && !isVersionGone);
  return isFrozen || (statusAnew !== undefined && !passes(statusAnew)) ? "ratcheted" : "none";
}

/** The topmost fields of the first that the second lacks. */
function findDropped(before: JsonObject, after: JsonObject): readonly string[] {
  const found: string[] = [];
  for (const [part, value] of Object.entries(before))
    if (part !== "metadata" && part !== "status") collectDropped(value, at(after, part), [part], found);
  return found.toSorted();
}

function collectDropped(before: Json, after: Json | undefined, path: readonly PathSegment[], found: string[]): void {
  if (after === undefined) found.push(formatDottedPath(path));
  else if (isList(before) && isList(after))
    for (const [i, item] of before.entries()) collectDropped(item, after[i], [...path, i], found);
  else if (isObject(before) && isObject(after))
    for (const [key, item] of Object.entries(before)) collectDropped(item, at(after, key), [...path, key], found);
}
