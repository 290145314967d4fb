import type { RetainedResult } from "../../../lift/progress/retained-result.ts";
import { type RiskSummary, selectPending } from "../../../lift/risk-summary.ts";
import { listAt, textAt } from "../../../model/json.ts";
import { COMPLETENESS_NOT_STATED } from "../../../model/result-limits.ts";
import { toLine } from "../../../model/visible-text.ts";
import { formatColumns } from "../../io/columns.ts";
import {
  findHiddenRisks,
  getCompleteness,
  getStatusResult,
  isCurrent,
  parseDataKey,
  type StatusInput,
} from "./facts.ts";

/** The risks with what to do about them, whether they are current, and whether ClusterVersion shows them. */
export function formatRisks(input: StatusInput): string {
  const result = getStatusResult(input);
  if (!result) return "";
  const { retained, risks } = result;
  if (risks.length === 0) return toLine(formatNoRisk(retained, input));
  const title = `Risks of the update from ${retained.source} to ${retained.target}${isCurrent(input) ? "" : formatObservedAt(retained)}:`;
  const hidden = findHiddenRisks(input, retained);
  return [
    toLine(title),
    formatTable(risks),
    ...risks.map(formatRisk),
    ...(hidden === undefined ? [] : [toLine(`ClusterVersion does not show ${hidden.names.join(", ")}. ${hidden.why}`)]),
    formatAdvice(risks, input),
  ].join("\n\n");
}

function formatNoRisk(retained: RetainedResult, input: StatusInput): string {
  const update = `the update from ${retained.source} to ${retained.target}`;
  if (!isCurrent(input))
    return `No risk of ${update} was found${formatObservedAt(retained)}. Whether it has one now is unknown.`;
  const complete = getCompleteness(input);
  if (complete === true) return `No risk of ${update} is known.`;
  return complete === false
    ? `No risk of ${update} was found, but not every check could complete.`
    : `No risk of ${update} was found. ${COMPLETENESS_NOT_STATED}`;
}

function formatObservedAt({ observedAt }: RetainedResult): string {
  return observedAt === undefined ? " earlier" : ` at ${observedAt}`;
}

/** Names in the form that `accept` takes. An API without acceptRisks can accept nothing. */
function formatAdvice(risks: readonly RiskSummary[], { result }: StatusInput): string {
  const pending = [...new Set(selectPending(risks).map(({ name }) => toLine(name)))];
  if (pending.length === 0) return "All risks that apply are accepted.";
  const names = pending.join(",");
  const problems = listAt(parseDataKey(result, "proposal.json"), "problems");
  const isAcceptable = !problems.some((problem) => textAt(problem, "reason") === "RiskFieldsAbsent");
  const how = isAcceptable
    ? `Follow the messages, or accept the risks that you can live with: preflight accept ${names}`
    : "Follow the messages: this cluster's feature set does not allow to accept risks.";
  return `Not accepted: ${names}\n${how}`;
}

function formatTable(risks: readonly RiskSummary[]): string {
  const rows = risks.map((risk) => [
    risk.name,
    risk.applies,
    risk.isAccepted ? "yes" : "no",
    risk.since ?? "",
    risk.sources.join(" and "),
  ]);
  return formatColumns([["NAME", "APPLIES", "ACCEPTED", "SINCE", "SOURCE"], ...rows], "  ");
}

function formatRisk({ name, message, url }: RiskSummary): string {
  return `${toLine(name)}:\n\n  Message: ${toLine(message)}\n  Reference: ${toLine(url)}`;
}
