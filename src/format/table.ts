import type { CheckReport, Report } from "../model/report.ts";
import { updateKind } from "../model/version.ts";
import { count } from "./count.ts";
import { noticesOf } from "./findings.ts";
import { painter } from "./paint.ts";
import { blindSection } from "./table-blind.ts";
import { nothingFound } from "./table-clear.ts";
import { riskSection } from "./table-risk.ts";
import type { View } from "./view.ts";
import { wrap } from "./wrap.ts";

export type TableOptions = Pick<View, "accepted" | "colour" | "width">;

/**
 * What `preflight check` prints for a person: the sum of it in one line, the risks, what could not be looked at, notices,
 * and what was covered. Sections without content are left out.
 */
export function renderTable(report: Report, options: TableOptions): string {
  const { bold } = painter(options.colour);
  const sections = [
    [bold(headline(report, options))],
    nothingFound(report, options),
    titled("Risks", riskSection(report, options), bold),
    titled("Could not be looked at", blindSection(report, options), bold),
    titled("Notices", noticeSection(report, options), bold),
    wrap("", coverage(report), options.width),
  ];
  const blocks = sections.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  return `${blocks.join("\n\n")}\n`;
}

function titled(title: string, lines: readonly string[], bold: (text: string) => string): readonly string[] {
  return lines.length === 0 ? [] : [bold(title), "", ...lines];
}

/** "4.18.8 -> 4.20.3: 2 risks, 1 of them accepted, and 1 check could not look" */
function headline({ source, target, crdFolder, risks, checks }: Report, { accepted }: TableOptions): string {
  const real = risks.filter(({ unknown }) => !unknown);
  const taken = real.filter(({ name }) => accepted.has(name)).length;
  const blind = checks.filter(({ outcome }) => outcome.kind === "unknown").length;
  const parts = [
    foundText(real.length, checks),
    ...(taken > 0 ? [`${taken} of them accepted`] : []),
    ...(blind > 0 ? [`${count(blind, "check")} could not look`] : []),
  ];
  const back = updateKind(source, target) === "rollback" ? " (rolling back)" : "";
  return `${source.text} -> ${crdFolder ?? target.text}${back}: ${parts.join(", ")}`;
}

function foundText(real: number, checks: readonly CheckReport[]): string {
  if (real > 0) return count(real, "risk");
  return checks.every(isIdle) ? "nothing was looked at" : "no risk found";
}

function noticeSection({ checks }: Report, { width }: TableOptions): readonly string[] {
  return checks.flatMap((check) =>
    noticesOf(check.outcome).flatMap((notice) => wrap(`  ${check.id}: `, notice, width)),
  );
}

function coverage({ checks, coverage: { kinds, objects } }: Report): string {
  const idle = checks.filter(isIdle).length;
  const looked = `Looked at ${count(kinds, "kind")} and ${count(objects, "object")} for ${count(checks.length - idle, "check")}`;
  if (idle === 0) return `${looked}.`;
  return `${looked}; ${count(idle, "check does", "checks do")} not apply to this update (see preflight list).`;
}

function isIdle({ outcome }: CheckReport): boolean {
  return outcome.kind === "notApplicable";
}
