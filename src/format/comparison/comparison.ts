import { compareText } from "../../model/json.ts";
import type { ResultRisk } from "../result/result.ts";
import type { Cell, PlaceDifference } from "../result/risk-table.ts";
import { buildRiskTable, comparePlaces, getCell, getOutcome } from "../result/risk-table.ts";
import { compareRisks } from "../view/view.ts";
import type { Cause, ComparedCheck, ComparedResult } from "./compared-result.ts";

/**
 * What became of a risk. `new`: it was looked for before, and not found. `firstSeen`: its check had no verdict before. `gone`: it was
 * looked for again, and not found. `notKnown`: its check has no verdict any more, which does not make the risk gone.
 */
export type RiskChange =
  | { readonly kind: "new" | "firstSeen" | "gone" | "notKnown" | "same"; readonly risk: ResultRisk }
  | ({ readonly kind: "changed"; readonly risk: ResultRisk } & RiskDifference);

/** `acceptance`: it is accepted now, or no longer. `hasOtherText`: the objects are not known, and the message differs. */
export type RiskDifference = PlaceDifference & {
  readonly acceptance?: "accepted" | "ended";
  readonly hasOtherText: boolean;
};

/**
 * What became of a check. `newlyUnknown`: it could be completed before. `notRun`: only the old result has a verdict of it. `known` and
 * `runNow` are the reverse. `stillUnknown`: neither result has a verdict of it; `moreUnknown`: nor has it, and more could not be checked
 * than before. `notApplicable`: it applied before.
 */
export type CheckChange = {
  readonly kind: "newlyUnknown" | "notRun" | "known" | "runNow" | "moreUnknown" | "stillUnknown" | "notApplicable";
  readonly id: string;
  /** What could not be checked and why, as far as it is new; or why the check does not apply. */
  readonly causes: readonly string[];
  /** The name under which an incomplete check is accepted. */
  readonly unknownRisk?: string;
  readonly isAccepted: boolean;
};

export type Comparison = {
  readonly old: ComparedResult;
  readonly new: ComparedResult;
  readonly risks: readonly RiskChange[];
  readonly checks: readonly CheckChange[];
  /** Minors between source and target that only the new result passes over. */
  readonly newMinorsBetween: readonly string[];
};

type Results = { readonly before: ComparedResult; readonly after: ComparedResult };

/** Risks in the order of work, checks by id. */
export function compareResults(before: ComparedResult, after: ComparedResult): Comparison {
  const { risks } = buildRiskTable([before, after]);
  const changes = risks.map((risk) => compareCells(getCell(before, risk), getCell(after, risk), { before, after }));
  const ids = [...new Set([...after.checks.keys(), ...before.checks.keys()])].toSorted(compareText);
  return {
    old: before,
    new: after,
    risks: changes.flat().toSorted((a, b) => compareRisks(a.risk, b.risk)),
    checks: ids.flatMap((id) => compareCheck(before, after, id)),
    newMinorsBetween: after.minorsBetween.filter((minor) => !before.minorsBetween.includes(minor)),
  };
}

function compareCells(old: Cell, now: Cell, results: Results): readonly RiskChange[] {
  if (now.risk === undefined)
    return old.risk === undefined ? [] : [{ kind: isKnown(now.kind) ? "gone" : "notKnown", risk: old.risk }];
  if (old.risk === undefined) return [{ kind: isKnown(old.kind) ? "new" : "firstSeen", risk: now.risk }];
  const difference = findDifference(old.risk, now.risk, results);
  return [
    difference === undefined ? { kind: "same", risk: now.risk } : { kind: "changed", risk: now.risk, ...difference },
  ];
}

/** Whether a result says that there is no such risk. */
function isKnown(kind: Cell["kind"]): boolean {
  return kind === "clear" || kind === "notApplicable";
}

function findDifference(old: ResultRisk, now: ResultRisk, { before, after }: Results): RiskDifference | undefined {
  const places = areAllNamed(old) && areAllNamed(now) ? comparePlaces(old.places ?? [], now.places ?? []) : undefined;
  const hasOtherText = places === undefined && maskVersions(old.message, before) !== maskVersions(now.message, after);
  const acceptance = findAcceptance(old.isAccepted, now.isAccepted);
  const { added, removed } = places ?? { added: [], removed: [] };
  if (added.length + removed.length === 0 && !hasOtherText && acceptance === undefined) return undefined;
  return { added, removed, hasOtherText, acceptance };
}

function areAllNamed({ places = [], omittedPlaces }: ResultRisk): boolean {
  return places.length > 0 && omittedPlaces === 0;
}

/** A document does not say what is accepted, so nothing follows from it. */
function findAcceptance(old: boolean | undefined, now: boolean | undefined): RiskDifference["acceptance"] {
  if (old === undefined || now === undefined || old === now) return undefined;
  return now ? "accepted" : "ended";
}

/** Messages name the update that they are about, and the same fault of another update is no other fault. */
function maskVersions(message: string, { sourceVersion = "", targetVersion = "" }: ComparedResult): string {
  return [sourceVersion, targetVersion]
    .filter(Boolean)
    .reduce((text, version) => text.replaceAll(version, "*"), message);
}

function compareCheck(before: ComparedResult, after: ComparedResult, id: string): readonly CheckChange[] {
  if (after.whyNone !== undefined) return [];
  const old = before.checks.get(id);
  const now = after.checks.get(id);
  const wasKnown = isKnown(getOutcome(before, id));
  const nowKnown = isKnown(getOutcome(after, id));
  if (now === undefined) return wasKnown && !nowKnown ? [buildChange("notRun", { id, isAccepted: false }, [])] : [];
  if (!nowKnown)
    return [wasKnown ? buildChange("newlyUnknown", now, now.causes) : findNewUnknown(old, now, { before, after })];
  if (!wasKnown) return before.checks.size > 0 ? [buildChange(old === undefined ? "runNow" : "known", now, [])] : [];
  const applied = old !== undefined && old.outcome !== "notApplicable";
  return applied && now.outcome === "notApplicable" ? [buildChange("notApplicable", now, now.causes)] : [];
}

/** A check that was incomplete before may be so for more causes now. One that was not run before, or left out, is no worse. */
function findNewUnknown(old: ComparedCheck | undefined, now: ComparedCheck, results: Results): CheckChange {
  const added = old === undefined || old.isLeftOut ? [] : selectNewCauses(old, now, results);
  return added.length > 0 ? buildChange("moreUnknown", now, added) : buildChange("stillUnknown", now, now.causes);
}

/** Where a result names no causes one by one, its text is compared. */
function selectNewCauses(old: ComparedCheck, now: ComparedCheck, { before, after }: Results): readonly Cause[] {
  const hasPlaces = [...old.causes, ...now.causes].every(({ place }) => place !== undefined);
  if (!hasPlaces) return maskVersions(old.message, before) === maskVersions(now.message, after) ? [] : now.causes;
  const places = new Set(old.causes.map(({ place }) => place));
  return now.causes.filter(({ place }) => !places.has(place));
}

function buildChange(
  kind: CheckChange["kind"],
  { id, unknownRisk, isAccepted }: Pick<ComparedCheck, "id" | "unknownRisk" | "isAccepted">,
  causes: readonly Cause[],
): CheckChange {
  return { kind, id, unknownRisk, isAccepted, causes: causes.map(({ text }) => text) };
}

/** Whether a change adds an open risk to the update. */
export function isWorse(change: RiskChange): boolean {
  if (change.risk.isAccepted === true) return false;
  if (change.kind === "new" || change.kind === "firstSeen") return true;
  return change.kind === "changed" && (change.added.length > 0 || change.acceptance === "ended" || change.hasOtherText);
}

/** Why the new result decides nothing by itself, whatever the old one saw; in sentences. */
export function listDoubts({ old, new: now }: Comparison): readonly string[] {
  const times = [old, now].flatMap(({ label, timeProblem }) =>
    timeProblem === undefined ? [] : [`${label}: ${timeProblem}`],
  );
  const failures = now.whyNone === undefined ? [] : ["There is no new result."];
  return [...times, ...failures, ...now.gaps.map((gap) => `${now.label}: ${gap}`)];
}

/** Whether less is known than before. */
export function isLessKnown({ new: now, old, risks, checks, newMinorsBetween }: Comparison): boolean {
  if (now.whyNone !== undefined) return old.whyNone === undefined;
  if (newMinorsBetween.length > 0 || risks.some(({ kind }) => kind === "notKnown")) return true;
  return checks.some(
    ({ kind, isAccepted }) => kind === "notRun" || ((kind === "newlyUnknown" || kind === "moreUnknown") && !isAccepted),
  );
}

/** Whether less is known than before, or less than everything. */
export function isUndecided(comparison: Comparison): boolean {
  return isLessKnown(comparison) || listDoubts(comparison).length > 0;
}
