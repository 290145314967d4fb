import { isPreflightMode } from "../../../lift/objects/preflight-mode.ts";
import { NAMESPACE, REQUEST_NAME } from "../../../lift/objects/preflight-request.ts";
import { isUpdating } from "../../../model/cluster-version.ts";
import { FailedError, formatError } from "../../../model/errors.ts";
import type { Logger } from "../../../model/logger.ts";
import { get } from "../../../model/read.ts";
import type { Reader } from "../../../model/reader.ts";
import { openShiftReads } from "../../../runner/facts/openshift-facts.ts";
import { type OpenValues, withSession } from "../../client/connection.ts";
import type { Io } from "../../io/io.ts";

/** A fraction of the time that a pod has for ending. */
const TIMEOUT_MS = 10_000;

const requestRead = get("v1/configmaps", `${NAMESPACE}/${REQUEST_NAME}`, (object) => object);

/**
 * Whether the preflight has ended for which a controller started this runner: nobody requests it any longer, or an update has begun. A pod
 * is stopped for other reasons too, such as a drained node or a window that is over. If that can't be told, the preflight goes on.
 */
export async function hasRequestEnded(values: OpenValues, io: Io, log: Pick<Logger, "warn">): Promise<boolean> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const warn = (why: string): void =>
    log.warn("can't tell whether the preflight has ended, so the document stays", { why });
  try {
    // The signal that stopped the runner would also stop this.
    const own = { ...io, stopSignal: signal, warn: log.warn };
    return await withSession(values, own, ({ reader }) => readRequestEnd(reader, warn, signal));
  } catch (thrown) {
    if (!(thrown instanceof FailedError)) throw thrown;
    warn(formatError(thrown));
    return false;
  }
}

export async function readRequestEnd(
  reader: Reader,
  warn: (why: string) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const clusterVersion = await reader.get(openShiftReads.clusterVersion, signal);
  if (clusterVersion.kind === "found" && isUpdating(clusterVersion.object)) return true;
  const request = await reader.get(requestRead, signal);
  for (const read of [clusterVersion, request]) if (read.kind === "failed") warn(read.message);
  const isAbsent = request.kind === "absent" && request.what === "object";
  return isAbsent && clusterVersion.kind === "found" && !isPreflightMode(clusterVersion.object);
}
