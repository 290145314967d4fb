import type { Finding } from "../../model/check.ts";
import { type CheckReport, findingsOf, type Report, type ReportRisk } from "../../model/report.ts";
import type { TargetOffer } from "../../model/route.ts";
import { buildRefKey } from "../../model/resource.ts";
import type { Unseen } from "../../model/unseen.ts";
import { getNotices } from "../view/outcome-contents.ts";
import type { View } from "../view/view.ts";
import { compareRisks } from "../view/work-order.ts";

/** One of several targets that were checked with one read of the cluster. `label`: its version, or what names it besides. */
export type TargetResult = { readonly label: string; readonly offer?: TargetOffer } & (
  | { readonly kind: "checked"; readonly report: Report; readonly accepted: ReadonlySet<string> }
  | { readonly kind: "notChecked"; readonly message: string }
);

export type CheckedTarget = Extract<TargetResult, { kind: "checked" }>;

/** The input of the formats of several targets. */
export type SideBySideView = Pick<View, "cluster"> & {
  readonly targets: readonly TargetResult[];
};

/** What is said of a risk for one target. `clear`: its check did not find it, or does not apply. */
export type Cell =
  | { readonly kind: "risk"; readonly objects: number; readonly isAccepted: boolean }
  | { readonly kind: "clear" | "unknown" | "notChecked" };

/** A risk, and what is said of it for each target, in their order. */
export type RiskRow = { readonly risk: ReportRisk; readonly cells: readonly Cell[] };

/** The risks of all targets in the order of work. */
export function buildRiskRows(targets: readonly TargetResult[]): readonly RiskRow[] {
  const risks = new Map<string, ReportRisk>();
  for (const { report } of targets.filter(isChecked))
    for (const risk of report.risks) if (!risk.unknown && !risks.has(risk.name)) risks.set(risk.name, risk);
  return [...risks.values()]
    .toSorted(compareRisks)
    .map((risk) => ({ risk, cells: targets.map((target) => buildCell(target, risk)) }));
}

export function isChecked(target: TargetResult): target is CheckedTarget {
  return target.kind === "checked";
}

function buildCell(target: TargetResult, { name, check }: ReportRisk): Cell {
  if (target.kind === "notChecked") return { kind: "notChecked" };
  const { report, accepted } = target;
  const outcome = report.checks.find(({ id }) => id === check)?.outcome;
  if (report.risks.some((risk) => risk.name === name)) {
    const objects = new Set(selectFindings(report, name).map(({ object }) => buildRefKey(object)));
    return { kind: "risk", objects: objects.size, isAccepted: accepted.has(name) };
  }
  return { kind: outcome?.kind === "unknown" ? "unknown" : "clear" };
}

export function selectFindings({ checks }: Report, risk: string): readonly Finding[] {
  return checks.flatMap(({ outcome }) => findingsOf(outcome).filter((finding) => finding.risk === risk));
}

/** What the same targets say: all of them, or only some. */
export type TargetGroup = {
  /** Those that were checked and say it, in their order. */
  readonly targets: readonly CheckedTarget[];
  readonly isEvery: boolean;
  /** The report of the first of them, with no more than the risks, unknowns and notices that they share. */
  readonly report: Report;
  /** Risks that are accepted for each of them. */
  readonly accepted: ReadonlySet<string>;
};

/** Groups risks, unknowns and notices by the targets that have them: the largest groups first. */
export function groupByTargets(targets: readonly TargetResult[]): readonly TargetGroup[] {
  const checked = targets.filter(isChecked);
  const facts = checked.map(({ report }) => listFacts(report));
  const keys = new Map<string, readonly number[]>();
  for (const fact of new Set(facts.flatMap((known) => [...known]))) {
    const indexes = checked.flatMap((_, i) => (facts[i]?.has(fact) === true ? [i] : []));
    keys.set(indexes.join(), indexes);
  }
  return [...keys.values()]
    .toSorted((a, b) => b.length - a.length || (a[0] ?? 0) - (b[0] ?? 0) || (a.join() < b.join() ? -1 : 1))
    .map((indexes) => buildGroup(checked, facts, indexes));
}

function buildGroup(
  checked: readonly CheckedTarget[],
  facts: readonly ReadonlySet<string>[],
  indexes: readonly number[],
): TargetGroup {
  const targets = checked.filter((_, i) => indexes.includes(i));
  const isShared = (fact: string): boolean => checked.every((_, i) => facts[i]?.has(fact) === indexes.includes(i));
  const [first] = targets;
  if (first === undefined) throw new Error("a group has a target");
  const accepted = [...first.accepted].filter((name) => targets.every((target) => target.accepted.has(name)));
  return {
    targets,
    isEvery: targets.length === checked.length,
    report: selectFacts(first.report, isShared),
    accepted: new Set(accepted),
  };
}

/** A key for each thing that a report says, the same in each report that says it too. */
function listFacts(report: Report): ReadonlySet<string> {
  const { checks, risks, unseen } = report;
  return new Set([
    ...risks.filter(({ unknown }) => !unknown).map(buildRiskFact),
    ...unseen.map(buildUnseenFact),
    ...checks.flatMap((check) => getNotices(check.outcome).map((notice) => buildNoticeFact(check, notice, report))),
  ]);
}

function buildRiskFact({ name }: ReportRisk): string {
  return `risk ${name}`;
}

function buildUnseenFact({ check = "", unknown: { reason, where } }: Unseen): string {
  return `unseen ${check} ${reason} ${where}`;
}

/** Apart from the version of the target, the same notice may be about each of them. */
function buildNoticeFact({ id }: CheckReport, notice: string, { target }: Report): string {
  return `notice ${id} ${notice.replaceAll(target.text, "")}`;
}

function selectFacts(report: Report, isShared: (fact: string) => boolean): Report {
  const checks = report.checks.map((check) => selectCheckFacts(check, report, isShared));
  const unseen = report.unseen.filter((one) => isShared(buildUnseenFact(one)));
  const names = new Set(unseen.map(({ risk }) => risk));
  const risks = report.risks.filter((risk) => (risk.unknown ? names.has(risk.name) : isShared(buildRiskFact(risk))));
  return { ...report, checks, risks, unseen };
}

function selectCheckFacts(check: CheckReport, report: Report, isShared: (fact: string) => boolean): CheckReport {
  const { outcome } = check;
  if (outcome.kind === "notApplicable") return check;
  const notices = getNotices(outcome).filter((notice) => isShared(buildNoticeFact(check, notice, report)));
  return { ...check, outcome: { ...outcome, notices } };
}

/** How the objects of a risk differ from those of the first target of a group: "+ Node a", "- Node b". */
export function listObjectDifferences(
  { targets }: TargetGroup,
  risk: string,
): readonly { readonly label: string; readonly added: readonly string[]; readonly removed: readonly string[] }[] {
  const [first, ...others] = targets;
  if (first === undefined) return [];
  const base = listPlaces(first, risk);
  return others.flatMap((target) => {
    const places = listPlaces(target, risk);
    const added = [...places].filter((place) => !base.has(place));
    const removed = [...base].filter((place) => !places.has(place));
    return added.length + removed.length === 0 ? [] : [{ label: target.label, added, removed }];
  });
}

function listPlaces({ report }: CheckedTarget, risk: string): ReadonlySet<string> {
  return new Set(selectFindings(report, risk).map(formatPlace));
}

/** "Node a" or "Deployment shop/web (spec.replicas)". */
export function formatPlace({ object, path }: Pick<Finding, "object" | "path">): string {
  const name = `${object.kind} ${object.namespace === undefined ? "" : `${object.namespace}/`}${object.name}`;
  return path === undefined ? name : `${name} (${path})`;
}
