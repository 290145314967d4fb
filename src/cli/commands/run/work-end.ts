import { findProposedVersion, isPreflightMode } from "../../../lift/objects/cluster-version-edit.ts";
import type { RunValues } from "./definition.ts";
import { NAMESPACE, REQUEST_NAME } from "../../../lift/objects/preflight-request.ts";
import { isUpdating } from "../../../model/cluster-version.ts";
import { FailedError, formatError } from "../../../model/errors.ts";
import type { Logger } from "../../../model/logger.ts";
import { get } from "../../../model/read.ts";
import type { Reader } from "../../../model/reader.ts";
import { openShiftReads } from "../../../runner/facts/openshift-facts.ts";
import { type OpenValues, withSession } from "../../client/connection.ts";
import type { Io } from "../../io/io.ts";
import { type JsonObject, textAt } from "../../../model/json.ts";
import type { CycleFailure, CycleResult } from "../../../model/report.ts";
import type { CycleInput } from "../../../runner/cycle.ts";

/** A fraction of the time that a pod has for ending. */
const TIMEOUT_MS = 10_000;

const requestRead = get("v1/configmaps", `${NAMESPACE}/${REQUEST_NAME}`, (object) => object);

/**
 * Whether the preflight has ended for which a controller started this runner: nobody requests it any longer, or an update has begun. A pod
 * is stopped for other reasons too, such as a drained node or a window that is over. If that can't be told, the preflight goes on.
 */
export async function hasRequestEnded(
  values: OpenValues & Pick<RunValues, "use-annotation">,
  io: Io,
  log: Pick<Logger, "warn">,
): Promise<boolean> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const warn = (why: string): void =>
    log.warn("can't tell whether the preflight has ended, so the document stays", { why });
  try {
    // The signal that stopped the runner would also stop this.
    const own = { ...io, stopSignal: signal, warn: log.warn };
    return await withSession(values, own, ({ reader }) =>
      readRequestEnd(reader, { warn, usesAnnotation: values["use-annotation"] }, signal),
    );
  } catch (thrown) {
    if (!(thrown instanceof FailedError)) throw thrown;
    warn(formatError(thrown));
    return false;
  }
}

export async function readRequestEnd(
  reader: Reader,
  { warn, usesAnnotation }: { readonly warn: (why: string) => void; readonly usesAnnotation: boolean },
  signal: AbortSignal,
): Promise<boolean> {
  const clusterVersion = await reader.get(openShiftReads.clusterVersion, signal);
  if (clusterVersion.kind === "found" && isUpdating(clusterVersion.object)) return true;
  const request = await reader.get(requestRead, signal);
  for (const read of [clusterVersion, request]) if (read.kind === "failed") warn(read.message);
  const isAbsent = request.kind === "absent" && request.what === "object";
  if (!isAbsent || clusterVersion.kind !== "found" || isPreflightMode(clusterVersion.object)) return false;
  return !usesAnnotation || findProposedVersion(clusterVersion.object) === undefined;
}

type EndInput = Pick<CycleInput, "reader" | "target" | "signal" | "now"> & {
  /** The target's pull spec, if known. */
  readonly image: string | undefined;
};

/**
 * A runner's cycle, unless an update is in progress or has led to the target. Its result is dropped if an update has begun meanwhile, since
 * others would take it for one about this cluster.
 */
export async function runUntilUpdate(input: EndInput, run: () => Promise<CycleResult>): Promise<CycleResult> {
  return (await findEnd(input)) ?? (await dropIfEnded(await run(), input));
}

async function dropIfEnded(result: CycleResult, input: EndInput): Promise<CycleResult> {
  return (await findEnd(input)) ?? result;
}

/** What can't be read is for the cycle to report. */
async function findEnd({ reader, target, image, signal, now }: EndInput): Promise<CycleResult | undefined> {
  const read = await reader.get(openShiftReads.clusterVersion, signal);
  const failure = read.kind === "found" ? findEndIn(read.object, target.version?.text, image) : undefined;
  return failure && { kind: "failed", failure, observedAt: now, target: target.version };
}

function findEndIn(
  clusterVersion: JsonObject,
  target: string | undefined,
  image: string | undefined,
): CycleFailure | undefined {
  const version = textAt(clusterVersion, "status", "history", 0, "version") ?? "another version";
  if (isUpdating(clusterVersion))
    return {
      reason: "UpdateInProgress",
      message: `An update to ${version} is in progress, which ends every preflight. Nothing is checked until it is complete.`,
    };
  if (version !== target || isOtherImage(image, textAt(clusterVersion, "status", "history", 0, "image")))
    return undefined;
  return {
    reason: "TargetReached",
    message: `The cluster runs ${version}, the target of this runner, so nothing is left to check. Delete the runner's Deployment.`,
  };
}

/** A hotfix may have the version that the cluster runs, and another image. */
function isOtherImage(a: string | undefined, b: string | undefined): boolean {
  const ours = findDigest(a);
  const theirs = findDigest(b);
  return ours !== undefined && theirs !== undefined && ours !== theirs;
}

function findDigest(image: string | undefined): string | undefined {
  return /@(sha256:[0-9a-f]{64})$/.exec(image ?? "")?.[1];
}
