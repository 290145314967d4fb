import { checks } from "../checks/index.ts";
import type { Check } from "../model/check.ts";
import { UsageError } from "../model/errors.ts";
import { parseTargetVersion } from "../model/kubernetes.ts";
import type { Reader } from "../model/reader.ts";
import type { Lifted } from "../runner/lifted.ts";
import type { Arguments } from "./arguments.ts";
import { connectionOf } from "./connection.ts";
import { parseDuration } from "./duration.ts";
import type { Io } from "./io.ts";
import { selectChecks } from "./select-checks.ts";
import type { TargetOptions } from "./target.ts";
import { VERSION } from "./version.ts";

/** A cluster that is open for reading. */
export type OpenCluster = { readonly reader: Reader; readonly close: () => void };

/** Opens a live or recorded cluster; a FailedError says why that can't be done. The heavy parts are loaded here and not before. */
export async function openCluster(args: Arguments, io: Io): Promise<OpenCluster> {
  const recorded = args.text("recorded");
  if (recorded !== undefined) {
    const { recordedReader } = await import("../cluster/recorded.ts");
    return { reader: await recordedReader(recorded), close: () => {} };
  }
  const { liveReader } = await import("../cluster/live.ts");
  const connection = await connectionOf(args, io);
  const live = liveReader(connection, { version: VERSION });
  return { reader: live, close: live.close };
}

export type Reading = { readonly concurrency: number; readonly checkTimeout: number; readonly cycleTimeout: number };

const MOST_READS = 32;

export function readingOf(args: Arguments): Reading {
  const concurrency = args.number("concurrency");
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > MOST_READS) {
    throw new UsageError(`--concurrency must be a whole number from 1 to ${MOST_READS}`);
  }
  return {
    concurrency,
    checkTimeout: timeoutOf(args, "check-timeout"),
    cycleTimeout: timeoutOf(args, "cycle-timeout"),
  };
}

function timeoutOf(args: Arguments, flag: string): number {
  const timeout = parseDuration(args.text(flag) ?? "0", flag);
  if (timeout === 0) throw new UsageError(`--${flag} must be longer than 0`);
  return timeout;
}

export function liftedOf(args: Arguments): Lifted {
  return args.text("lifted") === "leave" ? "leave" : "show";
}

export function checksOf(args: Arguments): readonly Check[] {
  return selectChecks(checks, args.list("only"), args.list("skip"));
}

/** What the flags say of the target: a version that is none is a wrong use. */
export function targetOptions(args: Arguments): TargetOptions {
  const [folder, version, image] = [args.text("target"), args.text("target-version"), args.text("release-image")];
  if (version !== undefined && parseTargetVersion(version) === undefined) {
    throw new UsageError(
      `--target-version "${version}" is no version: give one such as 4.20.3, or v1.36 for Kubernetes without OpenShift`,
    );
  }
  return { folders: folder === undefined ? [] : [folder], version, image };
}
