import { isUpdating } from "../../../model/cluster-version.ts";
import { type JsonObject, textAt } from "../../../model/json.ts";
import type { CycleFailure, CycleResult } from "../../../model/report.ts";
import type { CycleInput } from "../../../runner/cycle.ts";
import { openShiftReads } from "../../../runner/facts/openshift-facts.ts";

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
