import { systemClock } from "../../../network/retry.ts";
import { HISTORY, REQUEST, RESULT, RUNNER } from "../../../controller/api/api-paths.ts";
import { formatError, FailedError } from "../../../model/errors.ts";
import { textAt } from "../../../model/json.ts";
import { replaceProgram } from "../../../model/program-name.ts";
import { redactTexts } from "../../../model/secrets/redact-text.ts";
import {
  type ClusterClient,
  readClusterVersion,
  withCluster,
  readControllerPresence,
  readOperator,
  describeForeignMode,
} from "../../client/cluster-client.ts";
import type { StatusValues } from "./definition.ts";
import type { Io } from "../../io/io.ts";
import { parseDocument } from "../../../format/document/document-parser.ts";
import type { StatusInput, StatusResult } from "./status-facts.ts";
import {
  getPreflightConditions,
  getRequestState,
  getStatusExitCode,
  isSettled,
  findHiddenRisks,
  getCompleteness,
  getStatusResult,
  isCurrent,
} from "./status-facts.ts";
import { formatStatus } from "./status-text.ts";
import { toLine, formatJsonText } from "../../../model/visible-text.ts";
import { findRunningVersion } from "../../../model/cluster-version.ts";
import { parseHistory } from "../../../lift/preflight-result.ts";
import { describeFuture } from "../../../model/document.ts";
import { findAlertRisks } from "../../../lift/risk-summary.ts";

/** Shows what runs, its result and the results before it. Writes nothing. */
export async function run(values: StatusValues, io: Io): Promise<0 | 1 | 3 | 4> {
  return withCluster(values, io, async (cluster) => {
    const input =
      values.wait === undefined ? await readStatus(cluster, io) : await waitForResult(cluster, io, values.wait);
    io.out(values.output === "json" ? formatStatusJson(input) : replaceProgram(formatStatus(input), io.program));
    return getStatusExitCode(input);
  });
}

async function readStatus(cluster: ClusterClient, io: Io): Promise<StatusInput> {
  const clusterVersion = redactTexts(await readClusterVersion(cluster));
  const [request, result, history, deployment] = await Promise.all(
    [REQUEST, RESULT, HISTORY, RUNNER].map(cluster.read),
  );
  const now = io.now();
  const text = textAt(result, "data", "document.json");
  const document = text === undefined ? undefined : await parseDocument(text);
  const [controllerPresence, operator] = await Promise.all([
    readControllerPresence(cluster, now),
    readOperator(cluster, now),
  ]);
  const objects = { request, result, history, deployment, document };
  return { now, controllerPresence, operator, clusterVersion, ...objects };
}

const POLL_MS = 2_000;

/** Reads until the preflight has a result or has failed, or the time is over. */
async function waitForResult(cluster: ClusterClient, io: Io, timeout: number): Promise<StatusInput> {
  const end = io.now().getTime() + timeout;
  let lastProgress = "";
  for (;;) {
    const input = await readStatus(cluster, io);
    if (getRequestState(input).kind === "none")
      throw new FailedError("there is nothing to wait for: no preflight is requested");
    if (isSettled(input)) return clearProgress(io, input);
    lastProgress = showProgress(io, formatProgress(input), lastProgress);
    const rest = end - io.now().getTime();
    if (rest <= 0) {
      clearProgress(io, input);
      io.err("preflight: the wait timed out before the preflight had a result\n");
      return input;
    }
    await systemClock.sleep(Math.min(POLL_MS, rest), io.stopSignal);
    if (io.stopSignal.aborted) throw new FailedError(formatError(io.stopSignal.reason));
  }
}

function formatProgress(input: StatusInput): string {
  const messages = getPreflightConditions(input).flatMap((condition) => {
    const type = textAt(condition, "type");
    return type === "PreflightRunning" || type === "PreflightCompleted" ? [textAt(condition, "message") ?? ""] : [];
  });
  const controller = input.controllerPresence === "no" ? ["No preflight controller runs in this cluster."] : [];
  return toLine(["Waiting for the preflight.", ...controller, ...messages].join(" "));
}

/** A terminal has one line that changes; anything else gets a line for each change. */
function showProgress(io: Io, text: string, last: string): string {
  if (text === last) return last;
  if (io.isErrTerminal) io.progress([...text].slice(0, io.width - 1).join(""));
  else io.err(`${text}\n`);
  return text;
}

function clearProgress(io: Io, input: StatusInput): StatusInput {
  if (io.isErrTerminal) io.progress("");
  return input;
}

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
    result: result === undefined ? undefined : buildResultJson(input, result),
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
