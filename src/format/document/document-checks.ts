import type { DocumentCheck } from "../../model/document.ts";
import { formatHalf } from "../../model/halves.ts";
import { compareText } from "../../model/json.ts";
import type { CheckReport, ReportRisk } from "../../model/report.ts";
import type { Unknown } from "../../model/check.ts";
import { UNSEEN_RISKS } from "../../model/unseen.ts";
import { MAX_MESSAGE, shorten } from "./budget.ts";
import { toVisibleText } from "../../model/visible-text.ts";

/** The most notices of one check in the document; `-o json` has all. */
const MAX_NOTICES = 20;

/** A check in the document. `risks`: the reported risks of all checks. */
export function buildDocumentCheck(check: CheckReport, risks: readonly ReportRisk[]): DocumentCheck {
  const { id, outcome, origin, judged } = check;
  const common = { id, origin, judged, outcome: outcome.kind };
  if (outcome.kind === "notApplicable") return { ...common, message: formatText(outcome.reason) };
  const names = risks.filter((risk) => isReportedBy(check, risk)).map(({ name }) => name);
  return {
    ...common,
    ...(outcome.kind === "unknown" ? buildUnknownReason(outcome.unknowns) : {}),
    ...(names.length > 0 && outcome.kind !== "clear" ? { risks: names.toSorted(compareText) } : {}),
    ...buildNotices(outcome.notices),
    ...buildAccepted(check),
  };
}

/** Whether a risk is one of the check's; one risk reports all checks that were left out. */
export function isReportedBy({ id, leftOut }: CheckReport, { check, name }: ReportRisk): boolean {
  return leftOut !== undefined && leftOut.accepted === undefined ? name === UNSEEN_RISKS.leftOut : check === id;
}

function buildAccepted({ leftOut }: CheckReport): Pick<DocumentCheck, "accepted"> {
  if (leftOut?.accepted === undefined) return {};
  const { reason, until } = leftOut.accepted;
  return { accepted: { reason: formatText(reason), until } };
}

function buildUnknownReason(unknowns: readonly Unknown[]): { readonly reason?: string; readonly message?: string } {
  const sorted = sortUnknowns(unknowns);
  const [first] = sorted;
  if (!first) return {};
  return { reason: first.reason, message: formatText(sorted.map(formatUnknown).join("; ")) };
}

/** "networks.config.openshift.io cluster: why it could not be checked" */
export function formatUnknown({ half, where, reason, message }: Unknown): string {
  return `${formatHalf(half)}${where}: ${message === "" ? reason : message}`;
}

/** Sorts by object, reason and message. */
export function sortUnknowns(unknowns: readonly Unknown[]): readonly Unknown[] {
  return unknowns
    .map((one) => [buildUnknownKey(one), one] as const)
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([, one]) => one);
}

/** The same for the same cause; the order of keys is that of outputs. */
export function buildUnknownKey({ half, where, reason, message }: Unknown): string {
  return [where, reason, message, half ?? ""].join("\u0000");
}

function buildNotices(notices: readonly string[]): { readonly notices?: readonly string[] } {
  const sorted = [...new Set(notices)].filter((notice) => notice !== "").toSorted(compareText);
  if (sorted.length === 0) return {};
  if (sorted.length <= MAX_NOTICES) return { notices: sorted.map(formatText) };
  const more = `${sorted.length - MAX_NOTICES + 1} more notices: "preflight check -o json" lists all of them.`;
  return { notices: [...sorted.slice(0, MAX_NOTICES - 1).map(formatText), more] };
}

function formatText(of: string): string {
  return shorten(toVisibleText(of), MAX_MESSAGE);
}
