import { toYaml } from "../../../encoding/yaml.ts";
import type { Platform } from "../../../model/check.ts";
import { FailedError } from "../../../model/errors.ts";
import { parseTargetVersion, getPlatform } from "../../../model/target-version.ts";
import type { Release } from "../../../model/release.ts";
import { buildPlainFacts } from "../../../runner/kubernetes-facts.ts";
import type { RbacValues } from "./definition.ts";
import type { Io } from "../../io/io.ts";
import { buildClusterRole, buildClusterRoleBinding, type ClusterRole } from "../../checks/cluster-role.ts";
import { parseChecks } from "../../checks/check-selection.ts";
import {
  type TargetOptions,
  parseTargetOptions,
  readTarget,
  requireValidVersion,
} from "../../target-release/target.ts";
import { sourceReads } from "../../target-release/cluster-authorities.ts";

const READER_NAME = "preflight-reader";

export async function run(values: RbacValues, io: Io): Promise<0> {
  const { checks: selected } = parseChecks(values);
  const options = requireValidVersion(parseTargetOptions(values));
  const release = await readRelease(options, values["feature-set"]);
  const user = values["bind-to"];
  const others = user === undefined ? [] : sourceReads;
  const role = buildClusterRole(selected, release, getTargetPlatform(options), others);
  io.out(user === undefined ? toYaml(role) : formatBoundRole(role, user));
  return 0;
}

/** A name of its own, so that the role of a runner in the cluster stays as it is. */
function formatBoundRole(role: ClusterRole, user: string): string {
  const named = { ...role, metadata: { name: READER_NAME } };
  return `${toYaml(named)}---\n${toYaml(buildClusterRoleBinding(READER_NAME, user))}`;
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
  // Assumes a self-managed cluster with every capability, since `rbac` reads no cluster.
  return target.select(buildPlainFacts(target.version, featureSet === "Default" ? "" : featureSet));
}
