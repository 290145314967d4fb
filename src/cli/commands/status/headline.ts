import { isOurMode } from "../../../controller/mode-record.ts";
import { isPreflightMode } from "../../../lift/objects/preflight-mode.ts";
import { selectPreflightConditions } from "../../../lift/progress/preflight-conditions.ts";
import { findRunningVersion, isUpdating } from "../../../model/cluster-version.ts";
import { listAt, textAt } from "../../../model/json.ts";
import { describeFuture } from "../../../model/result-limits.ts";
import { toLine } from "../../../model/visible-text.ts";
import { summarizeProblems } from "../../../format/document/document-parser.ts";
import { CLEANUP_COMMAND, describeForeignMode } from "../../client/presence.ts";
import { getPreflightConditions, getRequestState, isExpired, type RequestState, type StatusInput } from "./facts.ts";

/** What is requested, who serves it, what runs, and the age of the result. */
export function formatHeadline(input: StatusInput): string {
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
      const what = `A preflight from ${source} to ${request.target} is requested.`;
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
