import type { Check } from "../../model/check.ts";
import { FailedError } from "../../model/errors.ts";
import type { Release } from "../../model/release.ts";
import { buildPlainFacts } from "../../runner/facts/cluster-facts.ts";
import type { CheckSet, CheckSetValues, FinderValues } from "../checks/check-set.ts";
import { listKnownChecks, getFinderOptions } from "../checks/check-set.ts";
import { type OpenValues, withSession } from "../client/connection.ts";
import type { Io } from "../io/io.ts";
import { loadPayloadTexts } from "../checks/check-selection.ts";
import type { TargetOptions, TargetValues } from "./target.ts";
import { parseTargetOptions, readTarget, requireValidVersion } from "./target.ts";
import { requireRead } from "../checks/custom-kinds.ts";
import { findNamespaceChecks } from "../checks/namespace-checks.ts";
import type { TrustedNamespace } from "../checks/trusted-namespaces.ts";
import { type OperatorBundle, readBundles, loadBundles } from "../checks/operator-checks.ts";
import { type ReadGrants, type VendorCluster, loadVendorTexts } from "../checks/vendor-checks.ts";

/** A target as a self-managed cluster with every capability has it, for commands that read no cluster. */
export async function readPlainRelease(options: TargetOptions, featureSet = ""): Promise<Release | undefined> {
  if (options.folders.length === 0) return undefined;
  const target = await readTarget(options);
  if (target.kind === "failed") throw new FailedError(target.failure.message);
  if (target.version === undefined) return undefined;
  return target.select(buildPlainFacts(target.version, featureSet));
}

/** All checks of a set, and those of a target. */
export async function addTargetChecks(checkSet: CheckSet, release: Release | undefined): Promise<readonly Check[]> {
  const known = listKnownChecks(checkSet);
  if (release?.checks === undefined) return known;
  return [...known, ...(await loadPayloadTexts(release.checks, release.version.text))];
}

type ListedValues = TargetValues & CheckSetValues & OpenValues & FinderValues;

/** The same for the target that values name, if they do, and with the checks of the cluster's vendors, if they are asked for. */
export async function listTargetChecks(values: ListedValues, io: Io): Promise<readonly Check[]> {
  const release = await readPlainRelease(requireValidVersion(parseTargetOptions(values)));
  const vendors = await readVendors(values, release, io);
  return [...(await addTargetChecks(values.checkSet, release)), ...(vendors?.checks ?? [])];
}

/** The checks that a cluster's vendors bring, and what names them. `bundles`: absent unless operators may bring some. */
export type ClusterVendors = {
  readonly bundles?: readonly OperatorBundle[];
  readonly namespaces: readonly TrustedNamespace[];
  readonly checks: readonly Check[];
};

/** Of commands that otherwise read no cluster: undefined unless --checks-from names vendors. Throws a FailedError if operators can't be listed. */
export async function readVendors(
  values: OpenValues & FinderValues,
  release: Release | undefined,
  io: Io,
): Promise<ClusterVendors | undefined> {
  const { from, namespaces = [], grants } = getFinderOptions(values);
  const includesOperators = from.includes("operators");
  if (!includesOperators && namespaces.length === 0) return undefined;
  return withSession({ ...values, promql: undefined }, io, async ({ reader }) => {
    const cluster = { reader, signal: io.stopSignal, release: release ?? { crdFiles: new Map<string, string>() } };
    const operators = includesOperators ? await readOperators(cluster, grants) : undefined;
    const ofNamespaces = await findNamespaceChecks(cluster, namespaces, grants, loadVendorTexts);
    return { bundles: operators?.bundles, namespaces, checks: [...(operators?.checks ?? []), ...ofNamespaces] };
  });
}

async function readOperators(
  cluster: VendorCluster,
  grants: ReadGrants,
): Promise<Required<Pick<ClusterVendors, "bundles" | "checks">>> {
  const found = await readBundles(cluster.reader, cluster.signal);
  requireRead(found.unknowns);
  return { bundles: found.bundles, checks: await loadBundles(found, cluster, grants, loadVendorTexts) };
}
