import { CONFIG_MAPS, REQUEST } from "../../controller/places.ts";
import { isByMode } from "../../lift/mode.ts";
import { cancelEdit } from "../../lift/request.ts";
import type { Arguments } from "../arguments.ts";
import { clusterVersionOf, send, withCluster } from "../cluster-access.ts";
import type { Io } from "../io.ts";

/** Deletes the request, and nothing that somebody else has asked for. */
export async function cancel(args: Arguments, io: Io): Promise<number> {
  return withCluster(args, io, async (cluster) => {
    const present = await cluster.read(REQUEST);
    const isCancelled = await send(cluster, cancelEdit(present), CONFIG_MAPS, REQUEST);
    io.out(isCancelled ? "Cancelled the preflight.\n" : "info: No preflight is requested.\n");
    if (!isCancelled && isByMode(await clusterVersionOf(cluster)))
      io.err("info: spec.desiredUpdate has the mode Preflight. It is left alone: whoever set it takes it back.\n");
    return 0;
  });
}
