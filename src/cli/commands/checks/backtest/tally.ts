import { compareText } from "../../../../model/json.ts";
import { type Outcome, type OutcomeKind, findingsOf } from "../../../../model/report.ts";

/** What a check says of one cluster. `objects`: of the kinds that it reads. */
export type ClusterVerdict = { readonly outcome: Outcome; readonly objects: number };

/** A text, and how often the check says it. */
export type TextCount = { readonly text: string; readonly count: number };

/** How many clusters have an outcome, and its most frequent texts. */
export type OutcomeTally = { readonly clusters: number; readonly texts: readonly TextCount[] };

/** What a check says of all clusters. */
export type Tally = {
  readonly check: string;
  readonly title: string;
  readonly objects: number;
  readonly findings: number;
  readonly outcomes: Readonly<Record<OutcomeKind, OutcomeTally>>;
};

const MAX_TEXTS = 5;

export function buildTally(check: string, title: string, verdicts: readonly ClusterVerdict[]): Tally {
  const outcomes = verdicts.map(({ outcome }) => outcome);
  const tally = (kind: OutcomeKind): OutcomeTally => buildOutcomeTally(outcomes.filter((one) => one.kind === kind));
  return {
    check,
    title,
    objects: verdicts.reduce((sum, { objects }) => sum + objects, 0),
    findings: outcomes.reduce((sum, outcome) => sum + findingsOf(outcome).length, 0),
    outcomes: {
      risk: tally("risk"),
      clear: tally("clear"),
      unknown: tally("unknown"),
      notApplicable: tally("notApplicable"),
    },
  };
}

function buildOutcomeTally(outcomes: readonly Outcome[]): OutcomeTally {
  const byText = Map.groupBy(outcomes.flatMap(listTexts), (text) => text);
  const texts = [...byText].map(([text, all]) => ({ text, count: all.length }));
  const sorted = texts.toSorted((a, b) => b.count - a.count || compareText(a.text, b.text));
  return { clusters: outcomes.length, texts: sorted.slice(0, MAX_TEXTS) };
}

/** Without what belongs to one cluster only, such as the names of objects. */
function listTexts(outcome: Outcome): readonly string[] {
  switch (outcome.kind) {
    case "clear":
      return outcome.notices;
    case "risk":
      return outcome.findings.map(({ risk, message }) => `${risk}: ${message}`);
    case "unknown":
      return outcome.unknowns.map(({ where, message }) => `${where}: ${message}`);
    case "notApplicable":
      return [outcome.reason];
  }
}

/** The clusters to which the check applies. */
export function countJudged({ outcomes: { risk, clear, unknown } }: Tally): number {
  return risk.clusters + clear.clusters + unknown.clusters;
}

/** Whether the check has this outcome on more than this share of the clusters to which it applies, in percent. */
export function isOverShare(tally: Tally, kind: "risk" | "unknown", maxPercent: number): boolean {
  return tally.outcomes[kind].clusters * 100 > maxPercent * countJudged(tally);
}
