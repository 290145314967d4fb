import { CONFIG_MAPS, REQUEST, RUNNER } from "../../controller/places.ts";
import { isByMode } from "../../lift/mode.ts";
import { cancelEdit } from "../../lift/request.ts";
import type { Arguments } from "../arguments.ts";
import { type ClusterAccess, clusterVersionOf, send, withCluster } from "../cluster-access.ts";
import type { Io } from "../io.ts";
import { servedIn, TAKE_AWAY } from "../served.ts";

/** Deletes the request, and nothing that somebody else has asked for. */
export async function cancel(args: Arguments, io: Io): Promise<number> {
  return withCluster(args, io, async (cluster) => {
    const present = await cluster.read(REQUEST);
    const isCancelled = await send(cluster, cancelEdit(present), CONFIG_MAPS, REQUEST);
    io.out(isCancelled ? "Cancelled the preflight.\n" : "info: No preflight is requested.\n");
    if (!isCancelled && isByMode(await clusterVersionOf(cluster))) io.err(MODE_LEFT);
    await warnOfRunner(cluster, io);
    return 0;
  });
}

/** Of a mode that isn't ours: a target without it is an update, so that all must leave at once. */
const MODE_LEFT = `info: spec.desiredUpdate has the mode Preflight. It is left alone: whoever set it takes it back, and never the mode
alone, since the target without it is an update. With all of it, accepted risks too:
  oc patch clusterversion version --type=merge -p '{"spec":{"desiredUpdate":null}}'
`;

/** The runner is a controller's to take away. */
async function warnOfRunner(cluster: ClusterAccess, io: Io): Promise<void> {
  if ((await servedIn(cluster, io.now())) !== "no") return;
  const deployment = await cluster.read(RUNNER).catch(() => undefined);
  if (deployment)
    io.err(`warning: No preflight controller runs in this cluster, so the runner goes on: ${TAKE_AWAY}\n`);
}
