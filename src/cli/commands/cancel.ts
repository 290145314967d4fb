import { CONFIG_MAPS, REQUEST, RUNNER } from "../../controller/api/api-paths.ts";
import { isPreflightMode } from "../../lift/objects/preflight-mode.ts";
import { buildCancelEdit } from "../../lift/objects/preflight-request.ts";
import type { CancelValues } from "../definitions/cancel.ts";
import { type ClusterClient, readClusterVersion, sendEdit, withCluster } from "../client/cluster-client.ts";
import type { Io } from "../io.ts";
import { readControllerPresence, CLEANUP_COMMAND } from "../client/controller-presence.ts";

/** Deletes the request, and nothing that somebody else requested. */
export async function run(values: CancelValues, io: Io): Promise<number> {
  return withCluster(values, io, async (cluster) => {
    const request = await cluster.read(REQUEST);
    const isCancelled = await sendEdit(cluster, buildCancelEdit(request), CONFIG_MAPS, REQUEST);
    io.out(isCancelled ? "Cancelled the preflight.\n" : "info: No preflight is requested.\n");
    if (!isCancelled && isPreflightMode(await readClusterVersion(cluster))) io.err(MODE_NOTICE);
    await warnOfRunner(cluster, io);
    return 0;
  });
}

/** Of a mode that isn't ours: a target without it is an update, so that all must leave at once. */
const MODE_NOTICE = `info: spec.desiredUpdate has the mode Preflight. It is left alone: whoever set it takes it back, and never the mode
alone, since the target without it is an update. With all of it, accepted risks too:
  oc patch clusterversion version --type=merge -p '{"spec":{"desiredUpdate":null}}'
`;

/** Only a controller removes the runner. */
async function warnOfRunner(cluster: ClusterClient, io: Io): Promise<void> {
  if ((await readControllerPresence(cluster, io.now())) !== "no") return;
  const deployment = await cluster.read(RUNNER).catch(() => undefined);
  if (deployment)
    io.err(
      `warning: No preflight controller runs in this cluster, so the runner keeps running. Remove it: ${CLEANUP_COMMAND}\n`,
    );
}
