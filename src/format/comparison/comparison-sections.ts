import { joinNames } from "../../model/names.ts";
import { isDifferent } from "../../model/optional.ts";
import { formatCount } from "../../model/count.ts";
import { getEffect } from "../view/work-order.ts";
import type { ComparedResult, ComparedRisk } from "./compared-result.ts";
import { type CheckChange, type Comparison, isLessKnown, isWorse, type RiskChange } from "./comparison.ts";

/** What people read of a comparison: a table and markdown follow from it. */
export type ComparisonPage = {
  readonly headline: string;
  /** Which results they are, and what to mind about them. */
  readonly lines: readonly string[];
  readonly sections: readonly ComparisonSection[];
  readonly verdict: string;
};

export type ComparisonSection = { readonly heading: string; readonly items: readonly ComparisonItem[] };

/** `title`: a name; `texts`: sentences about it; `points`: objects or causes. */
export type ComparisonItem = {
  readonly title: string;
  readonly isWorse: boolean;
  readonly texts: readonly string[];
  readonly points: readonly string[];
};

export function buildComparisonPage(comparison: Comparison): ComparisonPage {
  const { old, new: now, risks, checks } = comparison;
  const ofKind = (...kinds: readonly RiskChange["kind"][]) => risks.filter(({ kind }) => kinds.includes(kind));
  const sections = [
    { heading: "New", items: ofKind("new", "firstSeen").map(buildNewItem) },
    { heading: "Changed", items: ofKind("changed").map(buildRiskItem) },
    { heading: "No longer known", items: [...buildMinorItems(comparison), ...buildLostItems(risks, checks)] },
    {
      heading: "Still unknown, and more of it than before",
      items: checks.filter(({ kind }) => kind === "moreUnknown").map(buildMoreItem),
    },
    { heading: "Gone", items: ofKind("gone").map(({ risk }) => buildNameItem(risk)) },
    { heading: "Known now", items: checks.filter(({ kind }) => isKnownNow(kind)).map(buildKnownItem) },
    { heading: "No longer applies", items: checks.filter(({ kind }) => kind === "notApplicable").map(buildCheckItem) },
    { heading: "In both", items: ofKind("same").map(({ risk }) => buildNameItem(risk)) },
    {
      heading: "Still unknown",
      items: checks.filter(({ kind }) => kind === "stillUnknown").map(buildCheckItem),
    },
  ];
  return {
    headline: `${old.label} -> ${now.label}: ${formatCounts(comparison)}`,
    lines: [describeResult("Old", old), describeResult("New", now), ...listNotes(old, now)],
    sections: sections.filter(({ items }) => items.length > 0),
    verdict: describeVerdict(comparison),
  };
}

function isKnownNow(kind: CheckChange["kind"]): boolean {
  return kind === "known" || kind === "runNow";
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
  if (now.failure !== undefined) return "there is no new result";
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
  const { label, sourceVersion, targetVersion, observedAt, failure } = result;
  const update = `${sourceVersion ?? "unknown"} -> ${targetVersion ?? "unknown"}`;
  const state = failure === undefined ? `observed at ${observedAt ?? "an unknown time"}` : `no result: ${failure}`;
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

function buildNewItem(change: RiskChange): ComparisonItem {
  const { risk } = change;
  const seen = change.kind === "firstSeen" ? ["Its check had no verdict before, so it may not be new."] : [];
  return { ...buildNameItem(risk), isWorse: isWorse(change), texts: [risk.message, ...seen].filter(Boolean) };
}

function buildRiskItem(change: RiskChange): ComparisonItem {
  if (change.kind !== "changed") return buildNameItem(change.risk);
  const { added, removed, acceptance, hasOtherText, risk } = change;
  const texts = [
    ...(acceptance === undefined ? [] : [acceptance === "ended" ? "It is no longer accepted." : "It is accepted now."]),
    ...(hasOtherText ? [`Its message has changed: ${risk.message}`] : []),
  ];
  const points = [...added.map((one) => `+ ${one}`), ...removed.map((one) => `- ${one}`)];
  return { ...buildNameItem(risk), isWorse: isWorse(change), texts, points: limitPoints(points) };
}

const EFFECT_WORDS = {
  refused: "refuses the update",
  notRecommended: "needs --allow-not-recommended",
  stuck: "gets the update stuck",
  broken: "breaks something",
} as const;

function buildNameItem(risk: ComparedRisk): ComparisonItem {
  const notes = [
    ...(risk.effect === undefined ? [] : [EFFECT_WORDS[getEffect(risk)]]),
    ...(risk.isAccepted === true ? ["accepted"] : []),
  ];
  const title = notes.length === 0 ? risk.name : `${risk.name} (${notes.join(", ")})`;
  return { title, isWorse: false, texts: [], points: [] };
}

function buildMinorItems({ newMinorsBetween, new: { targetVersion = "" } }: Comparison): readonly ComparisonItem[] {
  if (newMinorsBetween.length === 0) return [];
  const title = `${joinNames(newMinorsBetween)} on the way to ${targetVersion}`;
  return [
    { title, isWorse: true, texts: ["An update to it is several updates, and only the last was checked."], points: [] },
  ];
}

function buildLostItems(risks: readonly RiskChange[], checks: readonly CheckChange[]): readonly ComparisonItem[] {
  const lostChecks = checks.filter(({ kind }) => kind === "newlyUnknown" || kind === "notRun");
  const lostRisks = risks.filter(({ kind }) => kind === "notKnown");
  return [
    ...lostChecks.map((change) => ({ ...buildCheckItem(change), isWorse: !change.isAccepted })),
    ...lostRisks.map(({ risk }) => ({
      ...buildNameItem(risk),
      isWorse: true,
      texts: ["It was found before, and its check has no verdict now."],
    })),
  ];
}

/** What could not be checked before either stands in the old result. */
function buildMoreItem(change: CheckChange): ComparisonItem {
  return { ...buildCheckItem(change), isWorse: !change.isAccepted };
}

function buildKnownItem(change: CheckChange): ComparisonItem {
  const text = change.kind === "runNow" ? "It was not run before." : "It could not be completed before.";
  return { ...buildCheckItem(change), texts: [text], points: [] };
}

function buildCheckItem({ id, kind, causes, isAccepted }: CheckChange): ComparisonItem {
  const title = isAccepted ? `${id} (accepted)` : id;
  return { title, isWorse: false, texts: kind === "notRun" ? ["It was not run."] : [], points: limitPoints(causes) };
}

const MAX_POINTS = 10;

function limitPoints(points: readonly string[]): readonly string[] {
  const more = points.length - MAX_POINTS;
  return more > 0 ? [...points.slice(0, MAX_POINTS), `and ${more} more (all with -o json)`] : points;
}

function describeVerdict(comparison: Comparison): string {
  const worse = comparison.risks.filter(isWorse).length;
  const less = isLessKnown(comparison) ? "less is known than before" : "";
  if (worse === 0)
    return less === "" ? "Nothing is worse than before." : "No risk is worse than before, but less is known.";
  const risks = formatCount(worse, "risk is worse or new", "risks are worse or new");
  return `${risks}${less === "" ? "" : `, and ${less}`}.`;
}
