import { findRunningVersion } from "../../../model/cluster-version.ts";
import { parseHistory } from "../../../lift/objects/preflight-history.ts";
import { textAt } from "../../../model/json.ts";
import { describeFuture } from "../../../model/result-limits.ts";
import { describeForeignMode } from "../../client/presence.ts";
import { findAlertRisks } from "../../../lift/alert-risks.ts";
import {
  findHiddenRisks,
  getCompleteness,
  getPreflightConditions,
  getRequestState,
  getStatusResult,
  isCurrent,
  type StatusInput,
  type StatusResult,
} from "./facts.ts";
import { formatJsonText } from "../../../format/text/json-text.ts";

/** The same facts as the text, for programs. Fields are only added, never renamed. */
export function formatStatusJson(input: StatusInput): string {
  const result = getStatusResult(input);
  const status = {
    sourceVersion: findRunningVersion(input.clusterVersion),
    request: getRequestState(input),
    controllerRuns: input.controllerPresence,
    operator: input.operator.kind,
    runnerDeployedAt: textAt(input.deployment, "metadata", "creationTimestamp"),
    modeWarning: describeForeignMode(input.clusterVersion, input.result, input.operator),
    conditions: getPreflightConditions(input),
    document: buildDocumentJson(input),
    alertRisks: findAlertRisks(input.clusterVersion),
    ...(result === undefined ? {} : { result: buildResultJson(input, result) }),
    history: parseHistory(input.history),
  };
  return formatJsonText(status);
}

/** `problems`: why nothing of it is used. */
function buildDocumentJson({ document: read, now }: StatusInput): object {
  if (read === undefined) return {};
  if (read.kind === "invalid") return { problems: read.problems };
  const { executionStatus, observedAt, validUntil } = read.document;
  const future = executionStatus === "completed" ? describeFuture(read.document, now) : undefined;
  return { executionStatus, observedAt, validUntil, problems: future && [future] };
}

function buildResultJson(input: StatusInput, { retained, risks }: StatusResult): object {
  const { source, target, observedAt } = retained;
  return {
    sourceVersion: source,
    targetVersion: target,
    observedAt,
    current: isCurrent(input),
    complete: getCompleteness(input) === true,
    risks: risks.map(({ isAccepted, sources, ...risk }) => ({
      ...risk,
      accepted: isAccepted,
      source: sources.includes("document") ? "preflight" : "other",
      sources,
    })),
    notShownByClusterVersion: findHiddenRisks(input, retained),
  };
}
