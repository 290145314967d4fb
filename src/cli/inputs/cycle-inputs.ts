import { checks } from "../../checks/index.ts";
import type { Check } from "../../model/check.ts";
import { UsageError } from "../../model/errors.ts";
import { parseTargetVersion } from "../../model/target-version.ts";
import type { Reader } from "../../model/reader.ts";
import type { OperatorRisks } from "../../runner/operator-risks.ts";
import type { Arguments } from "../command-line/arguments.ts";
import { type Warn, connectCluster } from "../client/connection.ts";
import { parseDuration } from "../command-line/duration.ts";
import type { Io } from "../io.ts";
import { selectChecks } from "./check-selection.ts";
import type { TargetOptions } from "./target.ts";
import { USER_AGENT } from "../version.ts";

/** A cluster that is open for reading. */
export type ClusterSession = { readonly reader: Reader; readonly close: () => void };

/** Opens a live or recorded cluster; a FailedError says why that can't be done. The heavy parts are loaded here and not before. */
export async function openCluster(args: Arguments, io: Io, warn?: Warn): Promise<ClusterSession> {
  const recorded = args.text("recorded");
  if (recorded !== undefined) {
    const { createRecordedReader } = await import("../../cluster/recorded/recorded-reader.ts");
    return { reader: await createRecordedReader(recorded), close: () => {} };
  }
  const { createLiveReader } = await import("../../cluster/live/live-reader.ts");
  const connection = await connectCluster(args, io, warn);
  const reader = createLiveReader(connection, { userAgent: USER_AGENT });
  return { reader: reader, close: reader.close };
}

export type ReadLimits = { readonly concurrency: number; readonly checkTimeout: number; readonly cycleTimeout: number };

const MAX_CONCURRENCY = 32;

export function parseReadLimits(args: Arguments): ReadLimits {
  const concurrency = args.number("concurrency");
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > MAX_CONCURRENCY) {
    throw new UsageError(`--concurrency must be a whole number from 1 to ${MAX_CONCURRENCY}`);
  }
  return {
    concurrency,
    checkTimeout: parseTimeout(args, "check-timeout"),
    cycleTimeout: parseTimeout(args, "cycle-timeout"),
  };
}

function parseTimeout(args: Arguments, flag: string): number {
  const timeout = parseDuration(args.text(flag) ?? "0", flag);
  if (timeout === 0) throw new UsageError(`--${flag} must be longer than 0`);
  return timeout;
}

export function parseOperatorRisks(args: Arguments): OperatorRisks {
  return args.text("lifted") === "leave" ? "leave" : "show";
}

export function parseChecks(args: Arguments): readonly Check[] {
  return selectChecks(checks, args.list("only"), args.list("skip"));
}

/** What the flags say of the target: a version that is none is a wrong use. */
export function parseTargetOptions(args: Arguments): TargetOptions {
  const [folder, version, image] = [args.text("target"), args.text("target-version"), args.text("release-image")];
  if (version !== undefined && parseTargetVersion(version) === undefined) {
    throw new UsageError(
      `--target-version "${version}" is no version: give one such as 4.20.3, or v1.36 for Kubernetes without OpenShift`,
    );
  }
  return { folders: folder === undefined ? [] : [folder], version, image };
}
