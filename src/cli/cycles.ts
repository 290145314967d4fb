import type { Check } from "../model/check.ts";
import { FailedError } from "../model/errors.ts";
import { parseTargetVersion, platformOf } from "../model/kubernetes.ts";
import type { CycleResult } from "../model/report.ts";
import { runCycle, type Target } from "../runner/cycle.ts";
import type { Arguments } from "./arguments.ts";
import type { Io } from "./io.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import { liftedOf, openCluster, type OpenCluster, type Reading } from "./session.ts";
import { openTarget } from "./target.ts";

/** Where a release image and the Deployment have the target's manifests. */
const CONTAINER_FOLDERS = ["/release-manifests", "/manifests"];

export type CyclesInput = {
  readonly args: Arguments;
  readonly io: Io;
  readonly checks: readonly Check[];
  readonly reading: Reading;
  readonly metrics: Metrics;
  readonly log: Log;
};

export type Cycles = {
  readonly cycle: (signal: AbortSignal) => Promise<CycleResult>;
  readonly target: () => Target;
  readonly close: () => void;
};

/** The runner's cycles. The target is read once and the cluster opened once; what failed is tried anew by the next cycle. */
export async function cycles(input: CyclesInput): Promise<Cycles> {
  let target = await readTarget(input);
  let cluster: OpenCluster | undefined;
  const cycle = async (signal: AbortSignal): Promise<CycleResult> => {
    const now = input.io.now();
    if (target.kind === "failed") target = await readTarget(input);
    const opened = cluster ?? (await tryOpen(input));
    if ("message" in opened) return unopened(opened.message, now, target);
    cluster = opened;
    const { checks, reading, metrics } = input;
    const { onRead } = metrics;
    const lifted = liftedOf(input.args);
    return runCycle({ checks, reader: cluster.reader, target, now, signal, ...reading, lifted, onRead });
  };
  const timed = async (signal: AbortSignal): Promise<CycleResult> => {
    const begun = input.io.now().getTime();
    const result = await cycle(signal);
    const seconds = (input.io.now().getTime() - begun) / 1_000;
    if (!signal.aborted) tell(result, seconds, input);
    return result;
  };
  return { cycle: timed, target: () => target, close: () => cluster?.close() };
}

async function readTarget({ args, log }: CyclesInput): Promise<Target> {
  const [folder, version, image] = [args.text("target"), args.text("target-version"), args.text("release-image")];
  const folders = folder === undefined ? foldersFor(version) : [folder];
  const target = await openTarget({ folders, version, image });
  for (const why of target.warnings ?? []) log.warn("a part of the target was left out", { why });
  return target;
}

/** Kubernetes alone has no release image. */
function foldersFor(version: string | undefined): readonly string[] {
  const asked = parseTargetVersion(version ?? "");
  return asked !== undefined && platformOf(asked.version) === "kubernetes" ? [] : CONTAINER_FOLDERS;
}

async function tryOpen({ args, io }: CyclesInput): Promise<OpenCluster | { readonly message: string }> {
  try {
    return await openCluster(args, io);
  } catch (thrown) {
    if (thrown instanceof FailedError) return { message: thrown.message };
    throw thrown;
  }
}

function unopened(message: string, observedAt: Date, target: Target): CycleResult {
  const known = target.version === undefined ? {} : { target: target.version };
  return { kind: "failed", failure: { reason: "KubeconfigUnreadable", message }, observedAt, ...known };
}

function tell(result: CycleResult, seconds: number, { metrics, log }: CyclesInput): void {
  metrics.onCycle(result, seconds);
  if (result.kind === "failed") {
    log.error("cycle failed", { reason: result.failure.reason, why: result.failure.message, seconds });
    return;
  }
  const { source, target, risks, coverage, checks } = result.report;
  const names = (unknown: boolean) => risks.filter((risk) => risk.unknown === unknown).map((risk) => risk.name);
  const fields = {
    source: source.text,
    target: target.text,
    risks: names(false),
    unknown: names(true),
    checks: checks.length,
  };
  log.info("cycle completed", { ...fields, ...coverage, seconds });
}
