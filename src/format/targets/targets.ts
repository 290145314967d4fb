import type { Finding } from "../../model/check.ts";
import { findingsOf, type Report } from "../../model/report.ts";
import { buildRefKey } from "../../model/resource.ts";
import type { TargetOffer } from "../../model/route.ts";
import type { Column, PlaceDifference, RiskTable } from "../result/risk-table.ts";
import { listFacts, selectFacts, buildRiskTable, comparePlaces, getCell, readReport } from "../result/risk-table.ts";
import type { ResultRisk } from "../result/result.ts";
import { decide, type Decision } from "../view/decision.ts";
import type { View } from "../view/view.ts";

/** One of several targets that were checked with one read of the cluster. `label`: its version, or what names it besides. */
export type TargetResult = { readonly label: string; readonly offer?: TargetOffer } & (
  | { readonly kind: "checked"; readonly report: Report; readonly accepted: ReadonlySet<string> }
  | { readonly kind: "notChecked"; readonly message: string }
);

export type CheckedTarget = Extract<TargetResult, { kind: "checked" }>;

/** The input of the formats of several targets. */
export type TargetsView = Pick<View, "cluster"> & {
  readonly targets: readonly TargetResult[];
};

export function isChecked(target: TargetResult): target is CheckedTarget {
  return target.kind === "checked";
}

/** The exit code of `check` with several targets follows from these: 3, 4 and 0. */
export function judgeTarget(target: TargetResult): Decision["kind"] {
  return isChecked(target) ? decide(target.report, target).kind : "incomplete";
}

export type TargetColumn = Column & { readonly target: TargetResult };

/** The risks that were found, by targets. */
export function buildTargetTable(targets: readonly TargetResult[]): RiskTable<TargetColumn> {
  const columns = targets.map((target) => ({
    target,
    ...(isChecked(target) ? readReport(target.report, target.accepted) : readReport(undefined, new Set())),
  }));
  return { columns, risks: buildRiskTable(columns).risks.filter(({ unknown }) => !unknown) };
}

/** What is said of a risk for one target. `clear`: its check did not find it, or does not apply. */
export type TargetCell =
  | { readonly state: "risk"; readonly objects: number; readonly accepted: boolean }
  | { readonly state: "clear" | "unknown" | "notChecked" };

export function describeCell(column: TargetColumn, of: ResultRisk): TargetCell {
  if (!isChecked(column.target)) return { state: "notChecked" };
  const { kind, risk } = getCell(column, of);
  if (risk === undefined) return { state: kind === "unknown" ? kind : "clear" };
  const objects = new Set((risk.places ?? []).map(({ object }) => buildRefKey(object)));
  return { state: "risk", objects: objects.size, accepted: kind === "accepted" };
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
  const findOwners = (fact: string): readonly number[] => [...checked.keys()].filter((i) => facts[i]?.has(fact));
  const all = new Set(facts.flatMap((known) => [...known]));
  const owners = new Map([...all].map(findOwners).map((indexes) => [indexes.join(), indexes]));
  return [...owners]
    .toSorted(([a, ofA], [b, ofB]) => ofB.length - ofA.length || (ofA[0] ?? 0) - (ofB[0] ?? 0) || (a < b ? -1 : 1))
    .map(([key, indexes]) => {
      const isShared = (fact: string): boolean => findOwners(fact).join() === key;
      return buildGroup(checked, indexes, isShared);
    });
}

function buildGroup(
  checked: readonly CheckedTarget[],
  indexes: readonly number[],
  isShared: (fact: string) => boolean,
): TargetGroup {
  const targets = checked.filter((_, i) => indexes.includes(i));
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

export function selectFindings({ checks }: Report, risk: string): readonly Finding[] {
  return checks.flatMap(({ outcome }) => findingsOf(outcome).filter((finding) => finding.risk === risk));
}

/** How the objects of a risk differ from those of the first target of a group. */
export function listObjectDifferences(
  { targets: [first, ...others] }: TargetGroup,
  risk: string,
): readonly (PlaceDifference & { readonly label: string })[] {
  if (first === undefined) return [];
  const base = selectFindings(first.report, risk);
  return others.flatMap(({ label, report }) => {
    const difference = comparePlaces(base, selectFindings(report, risk));
    return difference.added.length + difference.removed.length === 0 ? [] : [{ label, ...difference }];
  });
}
