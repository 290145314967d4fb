import { dump } from "js-yaml";
import type { Platform } from "../../model/check.ts";
import { FailedError, UsageError } from "../../model/errors.ts";
import { parseTargetVersion, platformOf } from "../../model/kubernetes.ts";
import type { ClusterFacts, Release } from "../../model/release.ts";
import type { Arguments } from "../arguments.ts";
import type { Io } from "../io.ts";
import { clusterRole } from "../rbac.ts";
import { checksOf, targetOptions } from "../session.ts";
import { openTarget } from "../target.ts";

const FEATURE_SETS = ["Default", "TechPreviewNoUpgrade", "DevPreviewNoUpgrade", "CustomNoUpgrade", "OKD"];

export async function rbac(args: Arguments, io: Io): Promise<number> {
  const selected = checksOf(args);
  const release = await releaseOf(args);
  io.out(dump(clusterRole(selected, release, platformFor(args)), { noRefs: true, lineWidth: -1 }));
  return 0;
}

/** The target's version says for which platform rights are asked. */
function platformFor(args: Arguments): Platform {
  const asked = parseTargetVersion(targetOptions(args).version ?? "");
  return asked === undefined ? "openshift" : platformOf(asked.version);
}

async function releaseOf(args: Arguments): Promise<Release | undefined> {
  if (args.text("target") === undefined) return undefined;
  const target = await openTarget(targetOptions(args));
  if (target.kind === "failed") throw new FailedError(target.failure.message);
  if (target.version === undefined) return undefined;
  return target.select(factsFor(target.version, args.text("feature-set") ?? "Default"));
}

/** A self-managed cluster with that feature set and every capability, since rights are asked for before the cluster is. */
function factsFor(version: ClusterFacts["version"], featureSet: string): ClusterFacts {
  if (!FEATURE_SETS.includes(featureSet))
    throw new UsageError(`--feature-set must be one of ${FEATURE_SETS.join(", ")}`);
  return {
    version,
    profile: "self-managed-high-availability",
    featureSet: featureSet === "Default" ? "" : featureSet,
    customGates: { enabled: [], disabled: [] },
    capabilities: { known: [], enabled: [] },
    overrides: [],
  };
}
