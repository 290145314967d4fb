import { dump } from "js-yaml";
import type { Platform } from "../../model/check.ts";
import { FailedError } from "../../model/errors.ts";
import { parseTargetVersion, getPlatform } from "../../model/target-version.ts";
import type { ClusterFacts, Release } from "../../model/release.ts";
import type { RbacValues } from "../definitions/rbac.ts";
import type { Io } from "../io.ts";
import { buildClusterRole } from "../cluster-role.ts";
import { parseChecks } from "../inputs/check-selection.ts";
import { type TargetOptions, parseTargetOptions, readTarget, requireValidVersion } from "../inputs/target.ts";

export async function run(values: RbacValues, io: Io): Promise<number> {
  const selected = parseChecks(values);
  const options = requireValidVersion(parseTargetOptions(values));
  const release = await readRelease(options, values["feature-set"]);
  io.out(dump(buildClusterRole(selected, release, getTargetPlatform(options)), { noRefs: true, lineWidth: -1 }));
  return 0;
}

function getTargetPlatform({ version }: TargetOptions): Platform {
  const target = parseTargetVersion(version ?? "");
  return target === undefined ? "openshift" : getPlatform(target.version);
}

async function readRelease(
  options: TargetOptions,
  featureSet: RbacValues["feature-set"],
): Promise<Release | undefined> {
  if (options.folders.length === 0) return undefined;
  const target = await readTarget(options);
  if (target.kind === "failed") throw new FailedError(target.failure.message);
  if (target.version === undefined) return undefined;
  return target.select(buildFacts(target.version, featureSet));
}

/** Assumes a self-managed cluster with every capability, since `rbac` reads no cluster. */
function buildFacts(version: ClusterFacts["version"], featureSet: RbacValues["feature-set"]): ClusterFacts {
  return {
    version,
    profile: "self-managed-high-availability",
    featureSet: featureSet === "Default" ? "" : featureSet,
    customGates: { enabled: [], disabled: [] },
    capabilities: { known: [], enabled: [] },
    overrides: [],
  };
}
