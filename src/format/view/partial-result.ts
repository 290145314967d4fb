import type { CheckReport, Report } from "../../model/report.ts";
import { findingsOf } from "../../model/report.ts";
import { formatCount, MAX_NAMED, sortNames } from "../../model/text.ts";
import { isPassing } from "../../model/unseen.ts";
import { type Block, FULL, type Line, TERMINAL_ONLY } from "../text/page.ts";
import { formatHeadline, formatUpdate } from "./decision.ts";
import { buildRecheckBlocks, formatRecheckCounts, listKept } from "./recheck-page.ts";
import type { View } from "./view.ts";

/** Whether a person has asked about a part: some checks, or what became of an earlier result. */
export function isPartial({ recheck, only = [] }: View): boolean {
  return recheck !== undefined || only.length > 0;
}

/** What a part says comes first: of a second look what became of the risks, of some checks what they found. */
export function buildHeadline(report: Report, view: View, lead: string | undefined): Line {
  const { recheck, only = [] } = view;
  const update = formatUpdate(report);
  if (recheck !== undefined) return { lead, text: `${update}: ${formatRecheckCounts(recheck)}` };
  const answers = only.length > MAX_NAMED ? [] : only.map((id) => formatAnswer(id, report, view.accepted));
  if (answers.length === 0) return { lead, text: formatHeadline(report, view) };
  const text = answers.join(", ");
  return report.risks.some(({ unknown }) => !unknown)
    ? { lead, text: `${update}: ${text}` }
    : { lead: `${text}.`, text: update };
}

/** "etcd-health found nothing" */
function formatAnswer(id: string, { checks }: Report, accepted: ReadonlySet<string>): string {
  const check = checks.find((one) => one.id === id);
  if (check === undefined) return `${id} is not here`;
  return `${id} ${ANSWERS[check.outcome.kind](formatRisks(check, accepted))}`;
}

const ANSWERS: Readonly<Record<CheckReport["outcome"]["kind"], (risks: string) => string>> = {
  clear: () => "found nothing",
  notApplicable: () => "does not apply",
  risk: (risks) => `found ${risks}`,
  unknown: (risks) => (risks === "" ? "could not be completed" : `found ${risks} and could not be completed`),
};

/** "2 risks (1 accepted)"; "" if there is none. */
function formatRisks({ outcome }: CheckReport, accepted: ReadonlySet<string>): string {
  const names = [...new Set(findingsOf(outcome).map(({ risk }) => risk))];
  const count = names.filter((name) => accepted.has(name)).length;
  const note = count === names.length ? "accepted" : `${count} accepted`;
  return names.length === 0 ? "" : `${formatCount(names.length, "risk")}${count === 0 ? "" : ` (${note})`}`;
}

/** What became of an earlier result, and why named checks don't apply. */
export function buildPart(report: Report, { recheck, only = [] }: View): readonly Block[] {
  const reasons = report.checks.flatMap(({ id, outcome }) =>
    outcome.kind === "notApplicable" && only.includes(id) ? [{ lead: id, text: outcome.reason }] : [],
  );
  return [
    ...(recheck === undefined ? [] : [...buildRecheckBlocks(recheck), ...listKept(report).map(buildText)]),
    ...(reasons.length === 0 ? [] : [{ kind: "list", items: reasons } as const]),
  ];
}

function buildText(text: string): Block {
  return { kind: "text", text };
}

/** In a line what --only left out, or an earlier run and this one too. */
export function buildLeftOut({ unseen, checks }: Report): readonly Block[] {
  const kept = new Set(checks.flatMap(({ id, leftOut }) => (leftOut?.clearAt === undefined ? [] : id)));
  const left = unseen.filter((one) => isPassing(one) && !kept.has(one.check ?? ""));
  return [...Map.groupBy(left, ({ unknown }) => unknown.where)].flatMap(([by, own]): readonly Block[] => {
    const ids = sortNames(own.flatMap(({ check }) => check ?? []));
    const text = `${formatCount(ids.length, "check was", "checks were")} left out (${by}) and may have found risks`;
    return [
      { kind: "text", ...TERMINAL_ONLY, text: `${text}.` },
      { kind: "text", only: FULL, text: `${text}: ${ids.join(", ")}.` },
    ];
  });
}
