import { toYaml } from "../../../encoding/yaml.ts";
import { NAMESPACE } from "../../../lift/objects/preflight-request.ts";
import type { Check, Platform } from "../../../model/check.ts";
import { FailedError } from "../../../model/errors.ts";
import { parseTargetVersion, getPlatform } from "../../../model/target-version.ts";
import type { Release } from "../../../model/release.ts";
import { buildPlainFacts } from "../../../runner/kubernetes-facts.ts";
import type { RbacValues } from "./definition.ts";
import type { Io } from "../../io/io.ts";
import { BUILT_IN, withCheckSet } from "../../checks/check-set.ts";
import {
  buildAddedRole,
  buildClusterRole,
  buildClusterRoleBinding,
  type ClusterRole,
  ROLE_NAME,
} from "../../checks/cluster-role.ts";
import { parseChecks, selectChecks } from "../../checks/check-selection.ts";
import {
  type TargetOptions,
  parseTargetOptions,
  readTarget,
  requireValidVersion,
} from "../../target-release/target.ts";
import { sourceReads } from "../../target-release/cluster-authorities.ts";

/** A name of its own, so that the role of a runner in the cluster stays as it is. */
const READER_NAME = "preflight-reader";

/** The account of the runner's pods, which the shipped role is bound to. */
const RUNNER_ACCOUNT = `system:serviceaccount:${NAMESPACE}:${ROLE_NAME}`;

export async function run(given: RbacValues, io: Io): Promise<0> {
  const values = await withCheckSet(given, io);
  if (values.checkSet.faults.length > 0)
    throw new FailedError("nobody knows what these checks read: correct them first");
  const { checks: selected } = parseChecks(values);
  const options = requireValidVersion(parseTargetOptions(values));
  const release = await readRelease(options, values["feature-set"]);
  const user = values["bind-to"];
  const others = user === undefined ? [] : sourceReads;
  const platform = getTargetPlatform(options);
  const role = buildClusterRole(selected, release, platform, others);
  if (user !== undefined) io.out(formatBoundRole({ ...role, metadata: { name: READER_NAME } }, user));
  else io.out(values.checks.length === 0 ? toYaml(role) : formatAddedRole(selected, release, platform));
  return 0;
}

/**
 * The role that is shipped stays as it is: what the administrator's checks read beyond it is a role beside it. On Kubernetes, nobody knows
 * which account runs preflight.
 */
function formatAddedRole(selected: readonly Check[], release: Release | undefined, platform: Platform): string {
  const builtIn = selectChecks(BUILT_IN.checks, [], []).checks;
  const shipped = buildClusterRole(builtIn, platform === "openshift" ? undefined : release, platform);
  const own = selected.filter(({ origin }) => origin !== undefined);
  const role = buildAddedRole(own, shipped, platform);
  return platform === "openshift" ? formatBoundRole(role, RUNNER_ACCOUNT) : toYaml(role);
}

function formatBoundRole(role: ClusterRole, user: string): string {
  return `${toYaml(role)}---\n${toYaml(buildClusterRoleBinding(role.metadata.name, user))}`;
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
