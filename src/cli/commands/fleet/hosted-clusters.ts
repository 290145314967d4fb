import { FailedError } from "../../../model/errors.ts";
import { compareText } from "../../../model/json.ts";
import { withSession } from "../../client/connection.ts";
import { requireHostedClusters } from "../../client/hosted-cluster.ts";
import type { Io } from "../../io/io.ts";
import type { ListedCluster } from "./fleet-clusters.ts";

/**
 * The hosted clusters of management clusters. One whose hosted clusters can't be listed is a cluster that can't be checked, so that nobody
 * misses them.
 */
export async function listHosted(management: readonly ListedCluster[], io: Io): Promise<readonly ListedCluster[]> {
  const lists = await Promise.all(management.map((one) => listOf(one, management.length === 1, io)));
  return lists.flat().toSorted((a, b) => compareText(a.name, b.name));
}

async function listOf(management: ListedCluster, isOnlyOne: boolean, io: Io): Promise<readonly ListedCluster[]> {
  if (management.kind === "unusable") return [management];
  const { name, kubeconfig, context } = management;
  try {
    const hosted = await withSession({ kubeconfig, context, verbose: false }, io, ({ reader }) =>
      requireHostedClusters(reader, io.stopSignal),
    );
    return hosted.map((one) => ({ ...management, name: isOnlyOne ? one : `${name}/${one}`, "hosted-cluster": one }));
  } catch (thrown) {
    if (!(thrown instanceof FailedError)) throw thrown;
    return [{ kind: "unusable", name, message: thrown.message }];
  }
}
