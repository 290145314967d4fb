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
import { type OperatorBundle, readBundles, loadBundles, loadOperatorTexts } from "../checks/operator-checks.ts";

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

/** The same for the target that values name, if they do, and with the checks of the cluster's operators, if they are asked for. */
export async function listTargetChecks(values: ListedValues, io: Io): Promise<readonly Check[]> {
  const release = await readPlainRelease(requireValidVersion(parseTargetOptions(values)));
  const operators = await readClusterOperators(values, release, io);
  return [...(await addTargetChecks(values.checkSet, release)), ...(operators?.checks ?? [])];
}

/** The checks that a cluster's operators bring, and the bundles that name them. */
export type ClusterOperators = { readonly bundles: readonly OperatorBundle[]; readonly checks: readonly Check[] };

/** Of commands that otherwise read no cluster: undefined unless --checks-from names operators. Throws a FailedError if they can't be listed. */
export async function readClusterOperators(
  values: OpenValues & FinderValues,
  release: Release | undefined,
  io: Io,
): Promise<ClusterOperators | undefined> {
  const { from, grants } = getFinderOptions(values);
  if (!from.includes("operators")) return undefined;
  return withSession({ ...values, promql: undefined }, io, async ({ reader }) => {
    const cluster = { reader, signal: io.stopSignal, release: release ?? { crdFiles: new Map<string, string>() } };
    const found = await readBundles(reader, io.stopSignal);
    const [unknown] = found.unknowns;
    if (unknown !== undefined) throw new FailedError(`${unknown.where} can't be read: ${unknown.message}`);
    return { bundles: found.bundles, checks: await loadBundles(found, cluster, grants, loadOperatorTexts) };
  });
}
