import { toYaml } from "../../encoding/yaml.ts";
import { NAMESPACE } from "../../lift/objects/preflight-request.ts";
import type { Check } from "../../model/check.ts";
import { FailedError, UsageError } from "../../model/errors.ts";
import { parseTargetVersion, getPlatform, type Platform } from "../../model/version.ts";
import { type Read, each } from "../../model/read.ts";
import type { Release } from "../../model/release.ts";
import type { RbacValues } from "./definitions.ts";
import { type Io, warn } from "../io/io.ts";
import { createBuiltInSet, withCheckSet } from "../checks/check-set.ts";
import type { ClusterVendors } from "../target-release/plain-release.ts";
import { readVendors, addTargetChecks, readPlainRelease } from "../target-release/plain-release.ts";
import {
  type ClusterRole,
  buildAddedRole,
  buildClusterRole,
  buildClusterRoleBinding,
  buildConfigMapRoles,
  buildMonitoringRole,
  buildSecretRole,
  ROLE_NAME,
  getReads,
} from "../checks/cluster-role.ts";
import { parseChecks, selectChecks, selectOfSubject } from "../checks/check-selection.ts";
import { type TargetOptions, parseTargetOptions, requireValidVersion } from "../target-release/target.ts";
import { sourceReads } from "../client/cluster-network.ts";
import { CRD_RESOURCE } from "../../model/custom-kind.ts";
import { BUNDLE_RESOURCES, type PlacedConfigMap, listConfigMaps } from "../checks/operator-checks.ts";

/** A name of its own, so that the role of a runner in the cluster stays as it is. */
const READER_NAME = "preflight-reader";

/** The account of the runner's pods, which the shipped role is bound to. */
const RUNNER_ACCOUNT = `system:serviceaccount:${NAMESPACE}:${ROLE_NAME}`;

export async function run(given: RbacValues, io: Io): Promise<0> {
  const values = await withCheckSet(given, io);
  if (values.checkSet.faults.length > 0)
    throw new FailedError("nobody knows what these checks read: correct them first");
  const options = requireValidVersion(parseTargetOptions(values));
  const featureSet = values["feature-set"];
  const release = await readPlainRelease(options, featureSet === "Default" ? "" : featureSet);
  const vendors = buildVendorRights(await readVendors(values, release, io), io);
  const checks = [...(await addTargetChecks(values.checkSet, release)), ...vendors.checks];
  const { checks: selected } = parseChecks({ ...values, checkSet: { ...values.checkSet, checks } });
  const user = values["bind-to"];
  const platform = getTargetPlatform(options);
  const { reads, configMaps, namespaces } = vendors;
  const role = buildClusterRole(selected, release, platform, user === undefined ? [] : [...sourceReads, ...reads]);
  const monitoring = values.promql === undefined ? [] : [buildMonitoringRole(values.promql)];
  const account = user ?? (platform === "openshift" ? RUNNER_ACCOUNT : undefined);
  const roleName = user === undefined ? `${ROLE_NAME}-checks` : READER_NAME;
  const secret = parseSecret(values);
  const namespaced = [
    ...buildConfigMapRoles(configMaps, namespaces, roleName, account),
    ...(secret === undefined ? [] : buildSecretRole(secret, roleName, account)),
  ].map(toYaml);
  if (user !== undefined) {
    const rules = [role, ...monitoring].flatMap((one) => one.rules);
    const bound = formatBoundRole({ ...role, metadata: { name: READER_NAME }, rules }, user);
    io.out([bound, ...namespaced].join("---\n"));
    return 0;
  }
  const added = [...monitoring.map((one) => formatBoundRole(one, RUNNER_ACCOUNT)), ...namespaced];
  const hasOthers = values.checks.length > 0 || values["known-bugs"] !== undefined || reads.length > 0;
  if (hasOthers) added.unshift(formatAddedRole(selected, reads, release, platform));
  if (secret !== undefined) added.unshift(toYaml(role));
  io.out(added.length === 0 ? toYaml(role) : added.join("---\n"));
  return 0;
}

/** The one Secret that --guest-secret would read; none unless the user names it. */
function parseSecret(values: RbacValues): { readonly namespace: string; readonly name: string } | undefined {
  const text = values["guest-secret"];
  if (text === undefined) return undefined;
  if (!values["hosted-clusters"])
    throw new UsageError("--guest-secret is about a hosted cluster: add --hosted-clusters");
  const [, namespace, name] = /^([a-z0-9-]+)\/([a-z0-9.-]+)$/.exec(text) ?? [];
  if (namespace !== undefined && name !== undefined) return { namespace, name };
  throw new UsageError(
    `--guest-secret "${text}" is not NAMESPACE/NAME: use a form such as clusters/guest-admin-kubeconfig`,
  );
}

/**
 * The role that is shipped stays as it is: what the administrator's checks read beyond it is a role beside it. On Kubernetes, nobody knows
 * which account runs preflight.
 */
function formatAddedRole(
  selected: readonly Check[],
  reads: readonly Read[],
  release: Release | undefined,
  platform: Platform,
): string {
  const builtIn = selectChecks(selectOfSubject(createBuiltInSet().checks), [], []).checks;
  const shipped = buildClusterRole(builtIn, platform === "openshift" ? undefined : release, platform);
  const own = selected.filter(({ origin }) => origin !== undefined);
  const role = buildAddedRole(own, shipped, platform, reads);
  return platform === "openshift" ? formatBoundRole(role, RUNNER_ACCOUNT) : toYaml(role);
}

function formatBoundRole(role: ClusterRole, user: string): string {
  return `${toYaml(role)}---\n${toYaml(buildClusterRoleBinding(role.metadata.name, user))}`;
}

function getTargetPlatform({ version }: TargetOptions): Platform {
  const target = parseTargetVersion(version ?? "");
  return target === undefined ? "openshift" : getPlatform(target.version);
}

/** What it takes to find the checks of a cluster's vendors, and these checks. `namespaces`: those of which ConfigMaps are listed. */
type VendorRights = {
  readonly reads: readonly Read[];
  readonly configMaps: readonly PlacedConfigMap[];
  readonly namespaces: readonly string[];
  readonly checks: readonly Check[];
};

function buildVendorRights(vendors: ClusterVendors | undefined, io: Io): VendorRights {
  if (vendors === undefined) return { reads: [], configMaps: [], namespaces: [], checks: [] };
  const { bundles, checks } = vendors;
  const namespaces = vendors.namespaces.map(({ namespace }) => namespace);
  // What can't be loaded has neither reads nor risks.
  const unread = checks.filter((check) => check.risks.length === 0 && getReads(check).length === 0);
  for (const { id } of unread) warn(`nobody knows what ${id} reads: "preflight check" says why`, io);
  const configMaps = (bundles ?? []).flatMap((bundle) => listConfigMaps(bundle) ?? []);
  const listed = [
    ...(bundles === undefined ? [] : BUNDLE_RESOURCES),
    ...(namespaces.length === 0 ? [] : [CRD_RESOURCE]),
  ];
  return { checks, configMaps, namespaces, reads: listed.map((kind) => each(kind, () => undefined)) };
}
