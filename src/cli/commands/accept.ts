import { CLUSTER_VERSION } from "../../controller/places.ts";
import { acceptEdit, parseAcceptance } from "../../lift/accept.ts";
import type { Edit } from "../../lift/edit.ts";
import { acceptedOf } from "../../lift/cluster-version.ts";
import { UsageError } from "../../model/errors.ts";
import type { Arguments } from "../arguments.ts";
import { clusterVersionOf, crdFieldsOf, sendAnew, withCluster } from "../cluster-access.ts";
import type { Io } from "../io.ts";

/** Changes spec.desiredUpdate.acceptRisks, and of ClusterVersion nothing else. */
export async function accept(args: Arguments, operands: readonly string[], io: Io): Promise<number> {
  if (operands.length > 1) throw new UsageError("name the risks in one word, with commas between them");
  const acceptance = parseAcceptance(operands[0], { replace: args.flag("replace"), clear: args.flag("clear") });
  if (acceptance.kind === "refused") throw new UsageError(acceptance.message);
  return withCluster(args, io, async (cluster) => {
    const fields = await crdFieldsOf(cluster);
    const look = async (): Promise<Edit> => acceptEdit(await clusterVersionOf(cluster), fields, acceptance);
    const isChanged = await sendAnew(cluster, look, CLUSTER_VERSION, CLUSTER_VERSION);
    const names = isChanged ? acceptedOf(await clusterVersionOf(cluster)) : [];
    io.out(isChanged ? `info: Accept risks are [${names.join(", ")}]\n` : "info: Accept risks are not changed\n");
    return 0;
  });
}
