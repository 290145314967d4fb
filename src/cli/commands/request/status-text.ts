import { type AlertRisk, type RiskSummary, findAlertRisks, selectPending } from "../../../lift/risk-summary.ts";
import { type HistoryEntry, parseHistory } from "../../../lift/preflight-result.ts";
import { type JsonObject, textAt, listAt } from "../../../model/json.ts";
import { joinNames } from "../../../model/text.ts";
import { toLine } from "../../../model/visible-text.ts";
import { formatColumns } from "../../process/terminal-text.ts";
import type { StatusInput, RequestState } from "./status-facts.ts";
import {
  getPreflightConditions,
  getRequestState,
  isExpired,
  findHiddenRisks,
  getCompleteness,
  getStatusResult,
  isCurrent,
  parseDataKey,
} from "./status-facts.ts";
import { isOurMode } from "../../../controller/desired-preflight.ts";
import { PROPOSED_UPDATE, isPreflightMode } from "../../../lift/objects/cluster-version-edit.ts";
import { selectPreflightConditions } from "../../../lift/progress/preflight-conditions.ts";
import { findRunningVersion, isUpdating } from "../../../model/cluster-version.ts";
import { describeFuture, COMPLETENESS_NOT_STATED } from "../../../model/document.ts";
import { summarizeProblems } from "../../../format/document/document-parser.ts";
import { CLEANUP_COMMAND, describeForeignMode } from "../../client/cluster-client.ts";
import type { RetainedResult } from "../../../lift/progress/retained-result.ts";

/** The state of the preflight, in the layout of `oc adm upgrade recommend`. */
export function formatStatus(input: StatusInput): string {
  const conditions = getPreflightConditions(input).map(formatCondition);
  const parts = [
    formatHeadline(input),
    ...conditions,
    formatRisks(input),
    formatAlertRisks(input),
    formatHistory(input.history),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function formatCondition(condition: JsonObject): string {
  const [type, status, since, reason, message] = ["type", "status", "lastTransitionTime", "reason", "message"].map(
    (key) => toLine(textAt(condition, key) ?? ""),
  );
  return `${type}=${status}:\n\n  Reason: ${reason}\n  Since: ${since}\n  Message: ${message}`;
}

function formatHistory(history: JsonObject | undefined): string {
  const entries = parseHistory(history);
  if (entries.length === 0) return "";
  const rows = entries.map((entry) => [
    entry.observedAt,
    entry.source,
    entry.target,
    entry.complete ? "yes" : "no",
    formatRiskNames(entry),
  ]);
  return `Results, newest first:\n\n${formatColumns([["OBSERVED", "FROM", "TO", "COMPLETE", "RISKS"], ...rows], "  ")}`;
}

function formatRiskNames({ risks, accepted }: HistoryEntry): string {
  if (risks.length === 0) return "none";
  return risks.map((name) => (accepted.includes(name) ? `${name} (accepted)` : name)).join(", ");
}

const EXPLANATION =
  "The operator turns each alert labelled openShiftUpdatePrecheck into a risk of every offered update, because alerts name no target.";

/** Which updates besides the preflight's target have a risk, because the operator makes it of an alert. */
function formatAlertRisks({ clusterVersion }: StatusInput): string {
  const groups = Map.groupBy(
    findAlertRisks(clusterVersion).filter(({ otherUpdates }) => otherUpdates.length > 0),
    ({ target, otherUpdates }) => [target, ...otherUpdates].join(" "),
  );
  return [...groups.values()].map((risks) => toLine(formatGroup(risks))).join("\n\n");
}

function formatGroup(risks: readonly AlertRisk[]): string {
  const { target = "", otherUpdates = [] } = risks[0] ?? {};
  const names = joinNames(risks.map(({ name }) => name));
  const updates = joinNames(otherUpdates);
  const shown =
    otherUpdates.length === 1 ? `The update to ${updates} also shows` : `The updates to ${updates} also show`;
  return risks.length === 1
    ? `${shown} the risk ${names}, although a preflight of ${target} found it. ${EXPLANATION}`
    : `${shown} the risks ${names}, although a preflight of ${target} found them. ${EXPLANATION}`;
}

/** What is requested, who serves it, what runs, and the age of the result. */
function formatHeadline(input: StatusInput): string {
  const lines = formatLines(input, getRequestState(input)).filter((line) => line !== "");
  const mode = describeForeignMode(input.clusterVersion, input.result, input.operator);
  return [...lines.map(toLine), ...(mode === undefined ? [] : [`warning: ${mode}`])].join("\n");
}

function formatLines(input: StatusInput, request: RequestState): readonly string[] {
  const source = findRunningVersion(input.clusterVersion) ?? "an unknown version";
  switch (request.kind) {
    case "invalid":
      return [`The ConfigMap preflight-request is not valid: ${request.problems.join("; ")}.`];
    case "none":
      return [
        `No preflight is requested. ${formatUpdate(input) || `The cluster runs ${source}.`}`,
        formatLeftoverRunner(input),
        formatLeftoverConditions(input),
      ];
    case "requested": {
      const by = request.by === "annotation" ? `, by the annotation ${PROPOSED_UPDATE} of ClusterVersion` : "";
      const what = `A preflight from ${source} to ${request.target} is requested${by}.`;
      const problem = formatUpdate(input) || (request.problem?.message ?? "");
      if (isServedByOperator(input, request)) return [what, "The cluster-version operator serves it.", problem];
      return [
        what,
        request.allowsUnverified ? "The request allows the release image to run without a verified signature." : "",
        problem,
        formatMissingController(input),
        formatRunner(input),
        formatDocument(input),
      ];
    }
  }
}

/** Whether the request is passed on, or was made, through the mode of an operator that knows it. */
function isServedByOperator(
  { clusterVersion, result, operator }: StatusInput,
  request: Extract<RequestState, { kind: "requested" }>,
): boolean {
  if (!isPreflightMode(clusterVersion) || operator.kind !== "running" || !operator.canServeMode) return false;
  return request.by === "mode" || isOurMode(clusterVersion, result);
}

/** Empty while the cluster runs one version. */
function formatUpdate({ clusterVersion }: StatusInput): string {
  if (!isUpdating(clusterVersion)) return "";
  const [last, ...earlier] = listAt(clusterVersion, "status", "history");
  const to = textAt(last, "version") ?? "another version";
  return earlier.length === 0
    ? `The installation of ${to} is in progress.`
    : `The cluster is updating to ${to}, and no preflight runs during an update.`;
}

function formatLeftoverRunner({ deployment, controllerPresence }: StatusInput): string {
  if (!deployment) return "";
  return controllerPresence === "no"
    ? `The Deployment of a runner still exists, and no preflight controller runs to delete it: ${CLEANUP_COMMAND}`
    : "The Deployment of a runner still exists. The controller deletes it, unless somebody else created it.";
}

function formatLeftoverConditions({ clusterVersion, controllerPresence }: StatusInput): string {
  if (selectPreflightConditions(clusterVersion).length === 0) return "";
  return controllerPresence === "no"
    ? "The following conditions are of an earlier preflight, and no preflight controller runs to remove them."
    : "The following conditions are of an earlier preflight. The controller removes them.";
}

function formatMissingController({ controllerPresence }: StatusInput): string {
  return controllerPresence === "no"
    ? "No preflight controller runs in this cluster, so nothing serves the request, and the following can be out of date."
    : "";
}

function formatRunner({ deployment }: StatusInput): string {
  const since = textAt(deployment, "metadata", "creationTimestamp");
  return since === undefined ? "The runner is not deployed." : `The runner was deployed at ${since}.`;
}

/** The age and validity of the last document, or why there is none. */
function formatDocument(input: StatusInput): string {
  if (input.document?.kind !== "valid") return explainNoDocument(input);
  const { document } = input.document;
  const { observedAt, executionStatus, validUntil: until } = document;
  const subject = observedAt === undefined ? "The last document is" : `The last document is from ${observedAt}:`;
  if (executionStatus !== "completed") return `${subject} ${executionStatus}.`;
  const future = describeFuture(document, input.now);
  if (future !== undefined) return `${subject} completed. ${future}`;
  if (until === undefined) return `${subject} completed.`;
  return isExpired(until, input.now)
    ? `${subject} completed, but it expired at ${until}.`
    : `${subject} completed, and valid until ${until}.`;
}

/** Why the controller publishes no document, by the reason of PreflightCompleted. */
const NO_DOCUMENT: Readonly<Record<string, string>> = {
  DocumentMissing: "There is no document.",
  DocumentInvalid: "The runner's document is not valid, so its content is not used.",
  DocumentUnreadable: "The runner's document could not be read.",
  DocumentBeforeRequest: "The document in the runner's folder is from before this request.",
  OtherTarget: "The document in the runner's folder is about another target.",
  OtherSource: "The document in the runner's folder is about an update from another version.",
  OtherPayload: "The document in the runner's folder is about another release image.",
};

function explainNoDocument(input: StatusInput): string {
  if (input.document?.kind === "invalid")
    return `The document in the ConfigMap preflight-result is not valid, so its content is not used: ${summarizeProblems(input.document.problems)}.`;
  const completed = getPreflightConditions(input).find(
    (condition) => textAt(condition, "type") === "PreflightCompleted",
  );
  return (
    NO_DOCUMENT[textAt(completed, "reason") ?? "DocumentMissing"] ??
    "The ConfigMap preflight-result does not hold the document: it is too long, or the controller has not written it yet."
  );
}

/** The risks with what to do about them, whether they are current, and whether ClusterVersion shows them. */
function formatRisks(input: StatusInput): string {
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
