import { CLUSTER_VERSION } from "../../controller/api/api-paths.ts";
import { buildAcceptEdit, parseAcceptance } from "../../lift/objects/acceptance.ts";
import type { Edit } from "../../lift/objects/edit.ts";
import { getAcceptedRisks } from "../../lift/objects/cluster-version.ts";
import { UsageError } from "../../model/errors.ts";
import type { AcceptValues } from "../definitions/accept.ts";
import { readClusterVersion, readCrdFields, retryOnConflict, withCluster } from "../client/cluster-client.ts";
import type { Io } from "../io.ts";

/** Changes spec.desiredUpdate.acceptRisks, and nothing else in ClusterVersion. */
export async function run(values: AcceptValues, io: Io): Promise<number> {
  const acceptance = parseAcceptance(values.risks, values);
  if (acceptance.kind === "refused") throw new UsageError(acceptance.message);
  return withCluster(values, io, async (cluster) => {
    const fields = await readCrdFields(cluster);
    const buildEdit = async (): Promise<Edit> => buildAcceptEdit(await readClusterVersion(cluster), fields, acceptance);
    const isChanged = await retryOnConflict(cluster, buildEdit, CLUSTER_VERSION, CLUSTER_VERSION);
    const names = isChanged ? getAcceptedRisks(await readClusterVersion(cluster)) : [];
    io.out(isChanged ? `info: Accept risks are [${names.join(", ")}]\n` : "info: Accept risks are not changed\n");
    return 0;
  });
}
