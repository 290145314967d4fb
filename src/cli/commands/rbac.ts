import { dump } from "js-yaml";
import type { Platform } from "../../model/check.ts";
import { FailedError, UsageError } from "../../model/errors.ts";
import { parseTargetVersion, getPlatform } from "../../model/target-version.ts";
import type { ClusterFacts, Release } from "../../model/release.ts";
import type { Arguments } from "../command-line/arguments.ts";
import type { Io } from "../io.ts";
import { buildClusterRole } from "../cluster-role.ts";
import { parseChecks, parseTargetOptions } from "../inputs/cycle-inputs.ts";
import { readTarget } from "../inputs/target.ts";

const FEATURE_SETS = ["Default", "TechPreviewNoUpgrade", "DevPreviewNoUpgrade", "CustomNoUpgrade", "OKD"];

export async function rbac(args: Arguments, io: Io): Promise<number> {
  const selected = parseChecks(args);
  const release = await readRelease(args);
  io.out(dump(buildClusterRole(selected, release, parsePlatform(args)), { noRefs: true, lineWidth: -1 }));
  return 0;
}

/** The target's version says for which platform rights are asked. */
function parsePlatform(args: Arguments): Platform {
  const target = parseTargetVersion(parseTargetOptions(args).version ?? "");
  return target === undefined ? "openshift" : getPlatform(target.version);
}

async function readRelease(args: Arguments): Promise<Release | undefined> {
  if (args.text("target") === undefined) return undefined;
  const target = await readTarget(parseTargetOptions(args));
  if (target.kind === "failed") throw new FailedError(target.failure.message);
  if (target.version === undefined) return undefined;
  return target.select(buildFacts(target.version, args.text("feature-set") ?? "Default"));
}

/** A self-managed cluster with that feature set and every capability, since rights are asked for before the cluster is. */
function buildFacts(version: ClusterFacts["version"], featureSet: string): ClusterFacts {
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
