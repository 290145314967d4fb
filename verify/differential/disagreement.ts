import { compareText, type Json, type JsonObject, listAt, textAt, textsAt } from "../../src/model/json.ts";
import { type ValidationResult, type UpdateResult, MAX_APPLY_FAULTS } from "../../src/schema/crd/index.ts";

/** Both verdicts in the same format; equal if they agree. */
export type Disagreement = { readonly ours: readonly string[]; readonly theirs: readonly string[] };

/**
 * Compares the remaining errors of an update, if the oracle could evaluate one: one that changes only a label, or, in the answer to a
 * question with an old object (`errors`), the one that was asked for.
 */
export function findUpdateDisagreement(
  remaining: UpdateResult,
  answer: JsonObject,
  key: "ratcheted" | "errors" = "ratcheted",
): Disagreement | undefined {
  if (textAt(answer, "error") !== undefined) return undefined;
  const ours = sortUnique(remaining.errors.map((error) => `${error.type} ${error.path}`));
  const theirs = sortUnique(listAt(answer, key).filter(isOwnError).map(formatOracleError));
  const isSame = remaining.isTruncated ? ours.every((error) => theirs.includes(error)) : ours.join() === theirs.join();
  return isSame ? undefined : { ours: [`${key}:`, ...ours], theirs };
}

/** Undefined if both agree. */
export function findDisagreement(verdict: ValidationResult, answer: JsonObject): Disagreement | undefined {
  const failure = textAt(answer, "error");
  if (failure !== undefined) return { ours: [], theirs: [`error ${failure}`] };
  const ours = sortUnique([
    ...verdict.errors.map((error) => `${error.type} ${error.path}`),
    ...verdict.prunedPaths.map((path) => `pruned ${path}`),
  ]);
  const theirs = listOracleFaults(answer);
  return isAgreement(verdict, ours, theirs) ? undefined : { ours, theirs };
}

/** What the oracle says of a stored object: its errors, and the fields that are pruned. */
export function listOracleFaults(answer: JsonObject): readonly string[] {
  return sortUnique([
    ...listAt(answer, "errors").filter(isOwnError).map(formatOracleError),
    ...textsAt(answer, "pruned").map((path) => `pruned ${path}`),
  ]);
}

function isAgreement(verdict: ValidationResult, ours: readonly string[], theirs: readonly string[]): boolean {
  if (verdict.isTruncated) return ours.every((error) => theirs.includes(error));
  return ours.join("\n") === theirs.join("\n");
}

/** Compares why every server-side apply of the object fails. The oracle names no list items, and leaves a list at the first wrong one. */
export function findApplyDisagreement(verdict: ValidationResult, answer: JsonObject): Disagreement | undefined {
  const text = textAt(answer, "apply") ?? "";
  const lines = text.split("\n").filter((line) => /^ *\./.test(line));
  const theirs = lines.map(parseApplyFault);
  const unreadable = verdict.errors
    .filter(({ isUnreadable }) => isUnreadable)
    .map(({ path }) => ({ path: path.replaceAll(/\[(\D[^\]]*)\]/g, ".$1") }));
  const ours = [...verdict.applyFaults, ...unreadable].map(({ path }) => stripItems(`.${path}`));
  const isNamed = (path: string): boolean => ours.some((one) => one === path || one.startsWith(`${path}.`));
  const isKnown = (path: string): boolean => theirs.some((one) => path === one.path || path.startsWith(`${one.path}.`));
  const isCut = verdict.applyFaults.length >= MAX_APPLY_FAULTS;
  const isSame =
    ours.length > 0 === (text !== "") &&
    (isCut || theirs.every(({ path }) => isNamed(path))) &&
    (theirs.some(({ leavesList }) => leavesList) || ours.every(isKnown));
  return isSame ? undefined : { ours: ["apply:", ...ours], theirs: [text] };
}

/** ".spec.list[name=\"a\"].x: expected string, ...": the path without its items, whose keys are JSON. */
function parseApplyFault(line: string): { readonly path: string; readonly leavesList: boolean } {
  const text = line.trim().replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  const [place = "", message = ""] = text.split(/: (.*)/s);
  return { path: stripItems(place), leavesList: message.startsWith("element ") };
}

function stripItems(path: string): string {
  const stripped = path.replaceAll(/\[[^[\]]*\]/g, "");
  return stripped === path ? path : stripItems(stripped);
}

/** Excludes the API server's note that errors kept it from running rules. */
export function isOwnError(error: Json): boolean {
  return !(textAt(error, "detail") ?? "").includes("some validation rules were not checked");
}

export function sortUnique(all: readonly string[]): readonly string[] {
  return [...new Set(all)].toSorted(compareText);
}

export function formatOracleError(error: Json): string {
  const type = textAt(error, "type") ?? "";
  const field = textAt(error, "field") ?? "";
  const detail = textAt(error, "detail") ?? "";
  return `${type} ${joinPath(field === "<nil>" ? "" : stripDot(field), detail)}`;
}

/** An error of alternatives or ranges names its position in its message, below the value that was validated: a status is by itself. */
function joinPath(field: string, detail: string): string {
  const below = findPosition(detail);
  return field === "" || below === "" ? `${field}${below}` : `${field}.${below}`;
}

function findPosition(detail: string): string {
  const alternative = /^Invalid value: "": "((?:[^"\\]|\\.)*)" must (?:not )?validate/.exec(detail)?.[1];
  if (alternative !== undefined) return stripDot(String(JSON.parse(`"${alternative}"`)));
  const range = / value must be of type .* in (.*)$/s.exec(detail)?.[1];
  return range === undefined ? "" : stripDot(range);
}

function stripDot(path: string): string {
  return path.startsWith(".") ? path.slice(1) : path;
}
