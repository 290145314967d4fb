import { compareText, type Json, type JsonObject, listAt, textAt, textsAt } from "../../../../src/model/json.ts";
import type { ValidationResult, UpdateResult } from "../../../../src/schema/object-validation.ts";

/** Both verdicts in the same format; equal if they agree. */
export type Disagreement = { readonly ours: readonly string[]; readonly theirs: readonly string[] };

/** Compares the remaining errors of an update that changes only a label, if the oracle could evaluate one. */
export function findUpdateDisagreement(remaining: UpdateResult, answer: JsonObject): Disagreement | undefined {
  const isUnasked = listAt(answer, "errors").some((error) => textAt(error, "type") === "Metadata");
  if (isUnasked || textAt(answer, "error") !== undefined) return undefined;
  const ours = sortUnique(remaining.errors.map((error) => `${error.type} ${error.path}`));
  const theirs = sortUnique(listAt(answer, "ratcheted").filter(isOwnError).map(formatOracleError));
  const isSame = remaining.isTruncated ? ours.every((error) => theirs.includes(error)) : ours.join() === theirs.join();
  return isSame ? undefined : { ours: ["ratcheted:", ...ours], theirs };
}

/** Undefined if both agree. */
export function findDisagreement(verdict: ValidationResult, answer: JsonObject): Disagreement | undefined {
  const failure = textAt(answer, "error");
  if (failure !== undefined) return { ours: [], theirs: [`error ${failure}`] };
  const ours = sortUnique([
    ...verdict.errors.map((error) => `${error.type} ${error.path}`),
    ...verdict.prunedPaths.map((path) => `pruned ${path}`),
  ]);
  const theirs = sortUnique([
    ...listAt(answer, "errors").filter(isOwnError).map(formatOracleError),
    ...textsAt(answer, "pruned").map((path) => `pruned ${path}`),
  ]);
  return isAgreement(verdict, ours, theirs) ? undefined : { ours, theirs };
}

function isAgreement(verdict: ValidationResult, ours: readonly string[], theirs: readonly string[]): boolean {
  // If the oracle can't read embedded metadata, it reports only that, and only for the first such value.
  const [unreadable] = theirs.filter((error) => error.startsWith("Metadata "));
  if (unreadable !== undefined)
    return ours.includes(unreadable.replace("Metadata ", "FieldValueInvalid ")) && isSamePruned(ours, theirs);
  if (verdict.isTruncated) return ours.every((error) => theirs.includes(error));
  return ours.join("\n") === theirs.join("\n");
}

function isSamePruned(ours: readonly string[], theirs: readonly string[]): boolean {
  const pruned = (all: readonly string[]): string => all.filter((error) => error.startsWith("pruned ")).join("\n");
  return pruned(ours) === pruned(theirs);
}

/** Excludes the API server's note that errors kept it from running rules. */
function isOwnError(error: Json): boolean {
  return !(textAt(error, "detail") ?? "").includes("some validation rules were not checked");
}

function sortUnique(all: readonly string[]): readonly string[] {
  return [...new Set(all)].toSorted(compareText);
}

function formatOracleError(error: Json): string {
  const [type, field, detail] = [
    textAt(error, "type") ?? "",
    textAt(error, "field") ?? "",
    textAt(error, "detail") ?? "",
  ];
  if (type === "Metadata") return `Metadata ${detail.split(": ")[0]}`;
  return `${type} ${field === "<nil>" ? parsePath(detail) : field}`;
}

/** If an error has no path, the API server names the position in its message. */
function parsePath(detail: string): string {
  const alternative = /^Invalid value: "": "((?:[^"\\]|\\.)*)" must (?:not )?validate/.exec(detail)?.[1];
  if (alternative !== undefined) return stripDot(String(JSON.parse(`"${alternative}"`)));
  const range = / value must be of type .* in (.*)$/s.exec(detail)?.[1];
  return range === undefined ? "" : stripDot(range);
}

function stripDot(path: string): string {
  return path.startsWith(".") ? path.slice(1) : path;
}
