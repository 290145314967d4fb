import type { Check } from "../../model/check.ts";
import { FailedError } from "../../model/errors.ts";
import type { Release } from "../../model/release.ts";
import { type FinderValues, getFinderOptions } from "../checks/check-set.ts";
import { type OperatorBundle, readBundles } from "../checks/operator-bundles.ts";
import { loadBundles, loadOperatorTexts } from "../checks/operator-checks.ts";
import { type OpenValues, withSession } from "../client/connection.ts";
import type { Io } from "../io/io.ts";

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
