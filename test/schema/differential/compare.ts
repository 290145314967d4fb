import { byText, type Json, type JsonObject, listAt, textAt, textsAt } from "../../../src/model/json.ts";
import type { Verdict } from "../../../src/schema/judge.ts";
import type { Remaining } from "../../../src/schema/ratchet.ts";

/** What the two say, in the same words; equal where they agree. */
export type Sides = { readonly ours: readonly string[]; readonly theirs: readonly string[] };

/** The same of what remains in an update that changes nothing but a label, where the oracle could ask for one. */
export function ratchetDisagreement(remaining: Remaining, answer: JsonObject): Sides | undefined {
  const unasked = listAt(answer, "errors").some((error) => textAt(error, "type") === "Metadata");
  if (unasked || textAt(answer, "error") !== undefined) return undefined;
  const ours = sorted(remaining.errors.map((error) => `${error.type} ${error.path}`));
  const theirs = sorted(listAt(answer, "ratcheted").filter(isOwn).map(theirError));
  const agreed = remaining.more ? ours.every((error) => theirs.includes(error)) : ours.join() === theirs.join();
  return agreed ? undefined : { ours: ["ratcheted:", ...ours], theirs };
}

/** Undefined: they agree. */
export function disagreement(verdict: Verdict, answer: JsonObject): Sides | undefined {
  const failure = textAt(answer, "error");
  if (failure !== undefined) return { ours: [], theirs: [`error ${failure}`] };
  const ours = sorted([
    ...verdict.errors.map((error) => `${error.type} ${error.path}`),
    ...verdict.pruned.map((path) => `pruned ${path}`),
  ]);
  const theirs = sorted([
    ...listAt(answer, "errors").filter(isOwn).map(theirError),
    ...textsAt(answer, "pruned").map((path) => `pruned ${path}`),
  ]);
  return agree(verdict, ours, theirs) ? undefined : { ours, theirs };
}

function agree(verdict: Verdict, ours: readonly string[], theirs: readonly string[]): boolean {
  // Where the oracle can't read embedded metadata it says that alone, of the first that it meets.
  const [unreadable] = theirs.filter((error) => error.startsWith("Metadata "));
  if (unreadable !== undefined)
    return ours.includes(unreadable.replace("Metadata ", "FieldValueInvalid ")) && samePruned(ours, theirs);
  if (verdict.more) return ours.every((error) => theirs.includes(error));
  return ours.join("\n") === theirs.join("\n");
}

function samePruned(ours: readonly string[], theirs: readonly string[]): boolean {
  const pruned = (all: readonly string[]): string => all.filter((error) => error.startsWith("pruned ")).join("\n");
  return pruned(ours) === pruned(theirs);
}

/** The API server also says that errors keep it from running rules. */
function isOwn(error: Json): boolean {
  return !(textAt(error, "detail") ?? "").includes("some validation rules were not checked");
}

function sorted(all: readonly string[]): readonly string[] {
  return [...new Set(all)].toSorted(byText);
}

function theirError(error: Json): string {
  const [type, field, detail] = [
    textAt(error, "type") ?? "",
    textAt(error, "field") ?? "",
    textAt(error, "detail") ?? "",
  ];
  if (type === "Metadata") return `Metadata ${detail.split(": ")[0]}`;
  return `${type} ${field === "<nil>" ? placeIn(detail) : field}`;
}

/** Of errors without a path the API server names the place in the text. */
function placeIn(detail: string): string {
  const alternative = /^Invalid value: "": "((?:[^"\\]|\\.)*)" must (?:not )?validate/.exec(detail)?.[1];
  if (alternative !== undefined) return undotted(String(JSON.parse(`"${alternative}"`)));
  const range = / value must be of type .* in (.*)$/s.exec(detail)?.[1];
  return range === undefined ? "" : undotted(range);
}

function undotted(path: string): string {
  return path.startsWith(".") ? path.slice(1) : path;
}
