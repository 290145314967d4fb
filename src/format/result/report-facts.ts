import { type CheckReport, getNotices, type Report, type ReportRisk } from "../../model/report.ts";
import type { Unseen } from "../../model/unseen.ts";

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
