import type { OutcomeKind, Report, CheckReport, ReportRisk } from "../../model/report.ts";
import { findingsOf, getNotices } from "../../model/report.ts";
import { compareRisks } from "../view/view.ts";
import type { ResultPlace, ResultRisk } from "./result.ts";
import type { Unseen } from "../../model/unseen.ts";

/** What one result of several says: of a target, a step of a plan, a cluster of a fleet, or a file. */
export type Column = {
  readonly risks: readonly ResultRisk[];
  /** The outcome of each check that ran, by id. */
  readonly outcomes: ReadonlyMap<string, OutcomeKind>;
  /** What it says of a risk if it lists no checks, or if nobody knows the risk's check. */
  readonly otherwise: "clear" | "notRun";
};

/** What a result says of a risk, and the risk if it has it. `notRun`: nothing, since the result has no outcome of its check. */
export type Cell = {
  readonly kind: "risk" | "accepted" | "unknown" | "clear" | "notApplicable" | "notRun";
  readonly risk?: ResultRisk;
};

/** A risk that at least one result has. `count`: how many have it, accepted or not. */
export type TableRisk = ResultRisk & { readonly count: number };

/** Results by risks: each cell follows from a column and a risk. */
export type RiskTable<Kind extends Column> = {
  readonly columns: readonly Kind[];
  readonly risks: readonly TableRisk[];
};

/** In the order of work; risks that report incomplete checks come last. */
export function buildRiskTable<Kind extends Column>(
  columns: readonly Kind[],
  compare: (a: TableRisk, b: TableRisk) => number = compareInTable,
): RiskTable<Kind> {
  const groups = Map.groupBy(
    columns.flatMap(({ risks }) => risks),
    ({ name }) => name,
  );
  return { columns, risks: [...groups.values()].flatMap(combineRisks).toSorted(compare) };
}

/** What one result doesn't say of a risk, another may. */
function combineRisks(own: readonly ResultRisk[]): readonly TableRisk[] {
  const [first] = own;
  if (first === undefined) return [];
  const check = own.find((risk) => risk.check !== undefined)?.check;
  const effect = own.find((risk) => risk.effect !== undefined)?.effect;
  const leadTime = own.find((risk) => risk.leadTime !== undefined)?.leadTime;
  // In the words for any cluster, if one of them is no hosted one.
  const isHosted = own.every((risk) => risk.isHosted === true) || undefined;
  return [{ ...first, check, effect, leadTime, isHosted, count: own.length }];
}

export function getCell(column: Column, { name, check }: ResultRisk): Cell {
  const risk = column.risks.find((one) => one.name === name);
  return risk === undefined ? { kind: getOutcome(column, check) } : { kind: getKind(risk), risk };
}

/** What a result says of the risks of a check that it doesn't have. An incomplete check is never clear. */
export function getOutcome({ outcomes, otherwise }: Column, check: string | undefined): Exclude<Cell["kind"], "risk"> {
  if (check === undefined || outcomes.size === 0) return otherwise;
  const outcome = outcomes.get(check) ?? "notRun";
  return outcome === "risk" ? "clear" : outcome;
}

function getKind({ isAccepted, unknown }: ResultRisk): Cell["kind"] {
  if (isAccepted === true) return "accepted";
  return unknown ? "unknown" : "risk";
}

function compareInTable(a: TableRisk, b: TableRisk): number {
  return Number(a.unknown) - Number(b.unknown) || compareRisks(a, b);
}

/** What was found in this run; nothing is known without a report. */
export function readReport(report: Report | undefined, accepted: ReadonlySet<string>): Column {
  if (report === undefined) return { risks: [], outcomes: new Map(), otherwise: "notRun" };
  const places = Map.groupBy(
    report.checks.flatMap(({ outcome }) => findingsOf(outcome)),
    ({ risk }) => risk,
  );
  return {
    risks: report.risks.map((risk) => ({
      ...risk,
      isAccepted: accepted.has(risk.name),
      places: places.get(risk.name) ?? [],
      omittedPlaces: 0,
    })),
    outcomes: new Map(report.checks.map(({ id, outcome }) => [id, outcome.kind])),
    otherwise: "notRun",
  };
}

/** How the places of a risk differ from those that it had, or has elsewhere. */
export type PlaceDifference = { readonly added: readonly string[]; readonly removed: readonly string[] };

export function comparePlaces(before: readonly ResultPlace[], after: readonly ResultPlace[]): PlaceDifference {
  const old = new Set(before.map(formatPlace));
  const now = new Set(after.map(formatPlace));
  return { added: [...now].filter((one) => !old.has(one)), removed: [...old].filter((one) => !now.has(one)) };
}

/** "Node a" or "Deployment shop/web (spec.replicas)". */
export function formatPlace({ object: { kind, namespace, name }, path }: ResultPlace): string {
  const object = `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
  return path === undefined ? object : `${object} (${path})`;
}

/** A key for each risk, unknown and notice of a report, the same in each report that has it too. */
export function listFacts({ checks, risks, unseen, target }: Report): ReadonlySet<string> {
  return new Set([
    ...risks.filter(({ unknown }) => !unknown).map(getRiskKey),
    ...unseen.map(getUnseenKey),
    ...checks.flatMap((check) => getNotices(check.outcome).map((notice) => getNoticeKey(check, notice, target))),
  ]);
}

function getRiskKey({ name }: ReportRisk): string {
  return `risk ${name}`;
}

function getUnseenKey({ check = "", unknown: { reason, where } }: Unseen): string {
  return `unseen ${check} ${reason} ${where}`;
}

/** Apart from the version of the target, the same notice may be about each of them. */
function getNoticeKey({ id }: CheckReport, notice: string, target: Report["target"]): string {
  return `notice ${id} ${notice.replaceAll(target.text, "")}`;
}

/** A report with some of its facts. */
export function selectFacts(report: Report, isSelected: (fact: string) => boolean): Report {
  const unseen = report.unseen.filter((one) => isSelected(getUnseenKey(one)));
  const names = new Set(unseen.map(({ risk }) => risk));
  return {
    ...report,
    checks: report.checks.map((check) => selectNotices(check, report, isSelected)),
    risks: report.risks.filter((risk) => (risk.unknown ? names.has(risk.name) : isSelected(getRiskKey(risk)))),
    unseen,
  };
}

function selectNotices(check: CheckReport, { target }: Report, isSelected: (fact: string) => boolean): CheckReport {
  const { outcome } = check;
  if (outcome.kind === "notApplicable") return check;
  const notices = getNotices(outcome).filter((notice) => isSelected(getNoticeKey(check, notice, target)));
  return { ...check, outcome: { ...outcome, notices } };
}
