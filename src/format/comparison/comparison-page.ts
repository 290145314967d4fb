import { isDifferent } from "../../model/json.ts";
import { formatCount, joinNames } from "../../model/text.ts";
import type { ResultRisk } from "../result/result.ts";
import type { Page, PageDecision, PageEntry, TableBlock, Text, Tone } from "../text/page.ts";
import { buildEntryPage, toSentence } from "../view/lists.ts";
import { EFFECT_WORDS } from "../view/risk-sections.ts";
import { getEffect, getEffectVerbs } from "../view/view.ts";
import type { ComparedResult } from "./compared-result.ts";
import type { CheckChange, Comparison, RiskChange } from "./comparison.ts";
import { isLessKnown, isUndecided, isWorse, listDoubts } from "./comparison.ts";

export type ComparisonView = { readonly comparison: Comparison };

/** What became of the risks and checks, what is new first; the verdict comes last. */
export function buildComparisonPage({ comparison }: ComparisonView): Page {
  const { old, new: now, risks, checks } = comparison;
  const ofKind = (...kinds: readonly RiskChange["kind"][]) => risks.filter(({ kind }) => kinds.includes(kind));
  const checksOfKind = (...kinds: readonly CheckChange["kind"][]) => checks.filter(({ kind }) => kinds.includes(kind));
  return buildEntryPage({
    title: [old.label, now.label],
    summary: formatCounts(comparison),
    lines: [describeResult("Old", old), describeResult("New", now), ...listNotes(old, now), ...listDoubts(comparison)],
    decision: decideComparison(comparison),
    overview: buildComparisonOverview(comparison),
    sections: [
      ["New", ofKind("new", "firstSeen").map(buildNewEntry)],
      ["Changed", ofKind("changed").map(buildRiskEntry)],
      ["No longer known", [...buildMinorEntries(comparison), ...buildLostEntries(risks, checks)]],
      ["Still unknown, and more of it than before", checksOfKind("moreUnknown").map(buildOpenEntry)],
      ["Gone", ofKind("gone").map(({ risk }) => buildNameEntry(risk))],
      ["Known now", checksOfKind("known", "runNow").map(buildKnownEntry)],
      ["No longer applies", checksOfKind("notApplicable").map(buildCheckEntry)],
      ["In both", ofKind("same").map(({ risk }) => buildNameEntry(risk))],
      ["Still unknown", checksOfKind("stillUnknown").map(buildCheckEntry)],
    ],
    verdict: `${describeVerdict(comparison)}.`,
  });
}

function formatCounts({ risks, checks, new: now }: Comparison): string {
  const count = (...kinds: readonly RiskChange["kind"][]): number =>
    risks.filter(({ kind }) => kinds.includes(kind)).length;
  const lost = checks.filter(({ kind }) => kind === "newlyUnknown" || kind === "notRun").length;
  const counts = [
    [count("new", "firstSeen"), "new"],
    [count("changed"), "changed"],
    [count("notKnown"), "no longer known"],
    [count("gone"), "gone"],
    [count("same"), "in both"],
  ] as const;
  if (now.whyNone !== undefined) return "there is no new result";
  const present = counts.filter(([number]) => number > 0);
  const parts = present.map(([number, word], i) => `${i === 0 ? formatCount(number, "risk") : number} ${word}`);
  const list = parts.length === 0 ? "no risk in either" : parts.join(", ");
  const more = checks.filter(({ kind }) => kind === "moreUnknown").length;
  return [
    list,
    ...(lost === 0 ? [] : [`${formatCount(lost, "check is", "checks are")} no longer complete`]),
    ...(more === 0 ? [] : [`${formatCount(more, "check is", "checks are")} still incomplete, for more reasons`]),
  ].join("; ");
}

/** "Old: april.json, 4.18.8 -> 4.19.12, observed at 2026-04-01T10:00:00Z" */
function describeResult(which: string, result: ComparedResult): string {
  const { label, sourceVersion, targetVersion, observedAt, whyNone } = result;
  const update = `${sourceVersion ?? "unknown"} -> ${targetVersion ?? "unknown"}`;
  const state = whyNone === undefined ? `observed at ${observedAt ?? "an unknown time"}` : `no result: ${whyNone}`;
  return `${which}: ${label}, ${update}, ${state}`;
}

function listNotes(old: ComparedResult, now: ComparedResult): readonly string[] {
  const isOtherUpdate =
    isDifferent(old.sourceVersion, now.sourceVersion) || isDifferent(old.targetVersion, now.targetVersion);
  const isReversed = old.observedAt !== undefined && now.observedAt !== undefined && old.observedAt > now.observedAt;
  return [
    ...(isDifferent(old.clusterId, now.clusterId)
      ? [`The results are of two clusters: ${old.clusterId} and ${now.clusterId}.`]
      : []),
    ...(isOtherUpdate ? ["The results are about different updates."] : []),
    ...(isReversed ? ["The old result was observed after the new one."] : []),
  ];
}

function buildNewEntry(change: RiskChange): PageEntry {
  const { risk } = change;
  const seen = change.kind === "firstSeen" ? ["Its check had no verdict before, so it may not be new."] : [];
  return { ...buildNameEntry(risk), isStrong: isWorse(change), texts: [risk.message, ...seen].filter(Boolean) };
}

function buildRiskEntry(change: RiskChange): PageEntry {
  if (change.kind !== "changed") return buildNameEntry(change.risk);
  const { added, removed, acceptance, hasOtherText, risk } = change;
  const texts = [
    ...(acceptance === undefined ? [] : [acceptance === "ended" ? "It is no longer accepted." : "It is accepted now."]),
    ...(hasOtherText ? [`Its message has changed: ${risk.message}`] : []),
  ];
  const points = [...added.map((one) => `+ ${one}`), ...removed.map((one) => `- ${one}`)];
  return { ...buildNameEntry(risk), isStrong: isWorse(change), texts, points: limitPoints(points) };
}

function buildNameEntry(risk: ResultRisk): PageEntry {
  const notes = [
    ...(risk.effect === undefined ? [] : [getEffectVerbs(risk)[getEffect(risk)][0]]),
    ...(risk.isAccepted === true ? ["accepted"] : []),
  ];
  const title = notes.length === 0 ? risk.name : `${risk.name} (${notes.join(", ")})`;
  return { title, name: risk.name };
}

function buildMinorEntries({ newMinorsBetween, new: { targetVersion = "" } }: Comparison): readonly PageEntry[] {
  if (newMinorsBetween.length === 0) return [];
  const title = `${joinNames(newMinorsBetween)} on the way to ${targetVersion}`;
  return [{ title, isStrong: true, texts: ["An update to it is several updates, and only the last was checked."] }];
}

function buildLostEntries(risks: readonly RiskChange[], checks: readonly CheckChange[]): readonly PageEntry[] {
  const lostChecks = checks.filter(({ kind }) => kind === "newlyUnknown" || kind === "notRun");
  const lostRisks = risks.filter(({ kind }) => kind === "notKnown");
  return [
    ...lostChecks.map(buildOpenEntry),
    ...lostRisks.map(({ risk }) => ({
      ...buildNameEntry(risk),
      isStrong: true,
      texts: ["It was found before, and its check has no verdict now."],
    })),
  ];
}

function buildOpenEntry(change: CheckChange): PageEntry {
  return { ...buildCheckEntry(change), isStrong: !change.isAccepted };
}

function buildKnownEntry(change: CheckChange): PageEntry {
  const text = change.kind === "runNow" ? "It was not run before." : "It could not be completed before.";
  const { title, name } = buildCheckEntry(change);
  return { title, name, texts: [text] };
}

function buildCheckEntry({ id, kind, causes, unknownRisk, isAccepted }: CheckChange): PageEntry {
  const title = isAccepted ? `${id} (accepted)` : id;
  const texts = [
    ...(kind === "notRun" ? ["It was not run."] : []),
    ...(unknownRisk === undefined || isAccepted ? [] : [`Accept as ${unknownRisk}.`]),
  ];
  return { title, name: id, texts, points: limitPoints(causes) };
}

const MAX_POINTS = 10;

function limitPoints(points: readonly string[]): readonly string[] {
  const more = points.length - MAX_POINTS;
  return more > 0 ? [...points.slice(0, MAX_POINTS), `and ${more} more (all with -o json)`] : points;
}

/** The exit code of `compare` says the same: 3, 4 and 0. */
function decideComparison(comparison: Comparison): PageDecision {
  const common = { words: describeVerdict(comparison), basis: toSentence(formatCounts(comparison)) };
  if (comparison.risks.some(isWorse)) return { kind: "risk", ...common };
  return { kind: isUndecided(comparison) ? "incomplete" : "clear", ...common };
}

function describeVerdict(comparison: Comparison): string {
  const worse = comparison.risks.filter(isWorse).length;
  const doubt = describeDoubt(comparison);
  if (worse === 0)
    return doubt === undefined ? "Nothing is worse than before" : `No risk is worse than before, but ${doubt}`;
  const risks = formatCount(worse, "risk is worse or new", "risks are worse or new");
  if (doubt === undefined) return risks;
  return `${risks}, and ${isLessKnown(comparison) ? "less is known than before" : doubt}`;
}

function describeDoubt(comparison: Comparison): string | undefined {
  const { old, new: now } = comparison;
  if (isLessKnown(comparison)) return "less is known";
  if (now.whyNone !== undefined) return "there is no new result";
  if (now.gaps.length > 0) return "the new result is not complete";
  const hasTimeProblem = [old, now].some(({ timeProblem }) => timeProblem !== undefined);
  return hasTimeProblem ? "the time of a result can't be right" : undefined;
}

type OverviewLine = { readonly tone: Tone; readonly cells: readonly Text[] };

/** Each change in a line, what is worse first; on a page, whose other parts it leads to. */
function buildComparisonOverview({ risks, checks }: Comparison): readonly TableBlock[] {
  const lost = checks.filter(({ kind }) => kind === "newlyUnknown" || kind === "notRun");
  const lines = [
    ...KINDS.flatMap((kind) => risks.filter((change) => change.kind === kind).map(buildRiskLine)),
    ...lost.map(buildCheckLine),
    ...RESTS.flatMap((kind) => risks.filter((change) => change.kind === kind).map(buildRiskLine)),
  ];
  if (lines.length === 0) return [];
  return [
    {
      kind: "table",
      only: ["html"],
      head: ["Change", "Effect", "Risk or check", "Takes", "What differs"],
      rows: lines.map(({ cells }) => cells),
      tones: lines.map(({ tone }) => tone),
      linked: 2,
    },
  ];
}

/** What may be worse than before, and what is not. */
const KINDS = ["new", "firstSeen", "changed", "notKnown"] as const;
const RESTS = ["gone", "same"] as const;

const CHANGE_WORDS: Readonly<Record<RiskChange["kind"], string>> = {
  new: "new",
  firstSeen: "perhaps new",
  changed: "changed",
  notKnown: "no longer known",
  gone: "gone",
  same: "in both",
};

function buildRiskLine(change: RiskChange): OverviewLine {
  const { kind, risk } = change;
  const effect = getEffect(risk);
  const takes: Text = risk.leadTime === undefined ? "-" : [{ takes: risk.leadTime }];
  const isOver = kind === "gone" || risk.isAccepted === true;
  return {
    tone: isOver ? "accepted" : effect,
    cells: [
      CHANGE_WORDS[kind],
      EFFECT_WORDS[effect],
      risk.name,
      kind === "gone" ? "-" : takes,
      describeDifference(change),
    ],
  };
}

/** "2 more, 1 fewer", "3 objects" */
function describeDifference(change: RiskChange): string {
  const { risk } = change;
  const count = risk.places === undefined ? "" : formatCount(risk.places.length + risk.omittedPlaces, "place");
  const accepted = risk.isAccepted === true ? "accepted" : "";
  if (change.kind !== "changed")
    return [change.kind === "gone" ? "" : count, accepted].filter(Boolean).join(", ") || "-";
  const { added, removed, acceptance, hasOtherText } = change;
  const parts = [
    added.length === 0 ? "" : `${added.length} more`,
    removed.length === 0 ? "" : `${removed.length} fewer`,
    acceptance === undefined ? "" : ACCEPTANCES[acceptance],
    hasOtherText ? "another message" : "",
  ];
  return parts.filter(Boolean).join(", ");
}

const ACCEPTANCES = { ended: "no longer accepted", accepted: "accepted now" } as const;

function buildCheckLine({ id, kind, causes, isAccepted }: CheckChange): OverviewLine {
  const why = kind === "notRun" ? "not run" : formatCount(causes.length, "cause");
  return {
    tone: isAccepted ? "accepted" : "unknown",
    cells: ["no longer known", "-", id, "-", isAccepted ? `${why}, accepted` : why],
  };
}
