import { getDesiredPreflight } from "../../../controller/desired-preflight.ts";
import type { Observation } from "../../../controller/observation.ts";
import { isUnknownRisk } from "../../../lift/risk-merge.ts";
import {
  getClusterUpdates,
  nameOf,
  risksOf,
  versionOf,
  getAcceptedRisks,
} from "../../../lift/objects/cluster-version.ts";
import { findRunningVersion } from "../../../model/cluster-version.ts";
import type { RequestedPayload, TargetReference } from "../../../lift/objects/payload.ts";
import { allowsUnverified, parseRequest } from "../../../lift/objects/preflight-request.ts";
import { isPreflightMode } from "../../../lift/objects/cluster-version-edit.ts";
import { getRetainedResult } from "../../../lift/preflight-result.ts";
import { selectPreflightConditions } from "../../../lift/progress/preflight-conditions.ts";
import type { RetainedResult } from "../../../lift/progress/retained-result.ts";
import { type RiskSummary, selectPending, summarizeRisks, summarizeUpdateRisks } from "../../../lift/risk-summary.ts";
import { type JsonObject, listAt, objectAt, parseObject, textAt } from "../../../model/json.ts";
import { isInFuture } from "../../../model/document.ts";
import { getAge } from "../../../model/time.ts";
import type { ParsedDocument } from "../../../format/document/document-parser.ts";
import type { ControllerPresence } from "../../client/cluster-client.ts";

type Observed = Pick<Observation, "clusterVersion" | "request" | "result" | "history" | "deployment" | "operator">;

export type StatusInput = Observed & {
  /** The document in preflight-result, if it holds one. */
  readonly document?: ParsedDocument;
  readonly controllerPresence: ControllerPresence;
  readonly now: Date;
};

/** ClusterVersion's conditions of the preflight, or the proposed ones if it has none. */
export function getPreflightConditions({ clusterVersion, result }: StatusInput): readonly JsonObject[] {
  const conditions = selectPreflightConditions(clusterVersion);
  return conditions.length > 0
    ? conditions
    : selectPreflightConditions({ status: parseDataKey(result, "proposal.json") });
}

/** What is requested: by the ConfigMap, or else by the mode in ClusterVersion's spec, or by its annotation. */
export type RequestState =
  | { readonly kind: "none" }
  | { readonly kind: "invalid"; readonly problems: readonly string[] }
  | {
      readonly kind: "requested";
      readonly by: "configMap" | "mode" | "annotation";
      readonly target: string;
      /** Set if the image may run without a verified signature. */
      readonly allowsUnverified?: true;
      /** Why ClusterVersion lists no update to the target, or not with the image that the preflight checks, as in the conditions. */
      readonly problem?: { readonly reason: string; readonly message: string };
    };

export function getRequestState(input: StatusInput): RequestState {
  const { clusterVersion, request } = input;
  const parsed = parseRequest(request);
  const desired = getDesiredPreflight(input, input.now);
  const payload = desired.kind === "preflight" ? desired.payload : undefined;
  const problem = payload && describeProblem(payload);
  if (parsed.kind === "invalid") return parsed;
  if (parsed.kind === "request") {
    const { target, runner } = parsed.request;
    const reservations = allowsUnverified(runner) ? { allowsUnverified: true as const } : {};
    const name = formatTarget(target, payload);
    return { kind: "requested", by: "configMap", target: name, ...reservations, problem };
  }
  if (desired.kind === "preflight" && desired.trigger === "annotation")
    return { kind: "requested", by: "annotation", target: formatTarget(desired.request.target, payload), problem };
  const target = findModeTarget(clusterVersion);
  return target === undefined ? { kind: "none" } : { kind: "requested", by: "mode", target, problem };
}

function formatTarget(target: TargetReference, payload: RequestedPayload | undefined): string {
  if (target.kind === "version") return target.version;
  if (payload?.kind === "offered") return payload.version;
  const isKnown = payload?.kind === "notOffered" && payload.reason === "TargetNotOffered";
  return isKnown ? `${target.image} (not offered)` : target.image;
}

function describeProblem(payload: RequestedPayload): { readonly reason: string; readonly message: string } | undefined {
  return payload.kind === "offered" ? undefined : { reason: payload.reason, message: payload.message };
}

function findModeTarget(clusterVersion: JsonObject): string | undefined {
  if (!isPreflightMode(clusterVersion)) return undefined;
  const desired = objectAt(clusterVersion, "spec", "desiredUpdate");
  return textAt(desired, "version") || textAt(desired, "image");
}

export type StatusResult = { readonly retained: RetainedResult; readonly risks: readonly RiskSummary[] };

/** The last result: its risks as proposed for the update, or as the runner reported them if no update can show them. */
export function getStatusResult({ clusterVersion, result }: StatusInput): StatusResult | undefined {
  const retained = getRetainedResult(result);
  if (!retained) return undefined;
  const accepted = getAcceptedRisks(clusterVersion);
  const proposed = summarizeUpdateRisks(parseDataKey(result, "proposal.json"), retained, accepted);
  return { retained, risks: proposed.length > 0 ? proposed : summarizeRisks(retained.risks, accepted) };
}

/** The risks that ClusterVersion does not show, and why. */
type HiddenRisks = { readonly names: readonly string[]; readonly why: string };

/** Undefined if ClusterVersion shows all risks of the result. */
export function findHiddenRisks(input: StatusInput, retained: RetainedResult): HiddenRisks | undefined {
  const update = getClusterUpdates(input.clusterVersion).conditional.find((one) => versionOf(one) === retained.target);
  const shown = new Set(update === undefined ? [] : risksOf(update).map(nameOf));
  const names = retained.risks.map(nameOf).filter((name) => !shown.has(name));
  return names.length === 0 ? undefined : { names, why: explain(input) };
}

function explain({ result, operator, controllerPresence }: StatusInput): string {
  const problems = listAt(parseDataKey(result, "proposal.json"), "problems").flatMap(
    (problem) => textAt(problem, "message") ?? [],
  );
  if (problems.length > 0) return problems.join(" ");
  if (controllerPresence === "no") return "No preflight controller runs.";
  switch (operator.kind) {
    case "absent":
      return "The controller runs without --write-status, or has not written them yet.";
    case "unknown":
      return "A cluster-version operator that does not read preflight results may manage its status, or the controller runs without --write-status.";
    case "running":
      return operator.canServeMode
        ? "The cluster-version operator has not published them yet."
        : "The running cluster-version operator manages its status and does not read preflight results.";
  }
}

/** Whether the last result still describes the cluster. */
export function isCurrent({ clusterVersion, document: read, controllerPresence, now }: StatusInput): boolean {
  if (controllerPresence === "no" || read?.kind !== "valid") return false;
  const { document } = read;
  const { executionStatus, sourceVersion, validUntil } = document;
  if (executionStatus !== "completed" || isInFuture(document, now)) return false;
  if (sourceVersion !== undefined && sourceVersion !== findRunningVersion(clusterVersion)) return false;
  return !isExpired(validUntil, now);
}

/** Whether every check of the last document could complete; undefined if no document says it. */
export function getCompleteness({ document: read }: StatusInput): boolean | undefined {
  return read?.kind === "valid" ? read.document.complete : undefined;
}

export function parseDataKey(configMap: JsonObject | undefined, key: string): JsonObject {
  return parseObject(textAt(configMap, "data", key) ?? "") ?? {};
}

export function isExpired(until: string | undefined, now: Date): boolean {
  return (getAge(until, now) ?? 0) > 0;
}

/**
 * The codes of `check`: 1 if the preflight failed, 3 for an unaccepted risk, 4 without a current and complete result (also if no
 * preflight is requested), else 0.
 */
export function getStatusExitCode(input: StatusInput): 0 | 1 | 3 | 4 {
  if (getRequestState(input).kind === "invalid" || isFailed(input)) return 1;
  const result = getStatusResult(input);
  if (!result) return 4;
  const pending = selectPending(result.risks);
  const unknownRisks = result.retained.risks.filter(isUnknownRisk).map(nameOf);
  if (pending.some(({ name }) => !unknownRisks.includes(name))) return 3;
  if (pending.length > 0 || !isCurrent(input)) return 4;
  const complete = getCompleteness(input);
  // Of a result that is not complete, something must be named and accepted.
  return complete === true || (complete === false && unknownRisks.length > 0) ? 0 : 4;
}

/** Whether a wait is over: the preflight has a current result, has failed, or cannot start. */
export function isSettled(input: StatusInput): boolean {
  return getRequestState(input).kind !== "requested" || isFailed(input) || isCurrent(input);
}

function isFailed(input: StatusInput): boolean {
  return getPreflightConditions(input).some(
    (condition) => textAt(condition, "type") === "PreflightFailed" && textAt(condition, "status") === "True",
  );
}
