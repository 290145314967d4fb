import { HISTORY, REQUEST, RESULT, RUNNER } from "../../controller/api/api-paths.ts";
import type { Arguments } from "../command-line/arguments.ts";
import { readClusterVersion, withCluster } from "../client/cluster-client.ts";
import type { Io } from "../io.ts";
import { readControllerPresence } from "../client/controller-presence.ts";
import { formatStatus } from "../status/status.ts";

/** Tells what runs, what it found, and what was found before. Reads only. */
export async function status(args: Arguments, io: Io): Promise<number> {
  return withCluster(args, io, async (cluster) => {
    const clusterVersion = await readClusterVersion(cluster);
    const [request, result, history, deployment] = await Promise.all(
      [REQUEST, RESULT, HISTORY, RUNNER].map(cluster.read),
    );
    const now = io.now();
    io.out(
      formatStatus({
        now,
        controllerPresence: await readControllerPresence(cluster, now),
        clusterVersion,
        ...(request ? { request } : {}),
        ...(result ? { result } : {}),
        ...(history ? { history } : {}),
        ...(deployment ? { deployment } : {}),
      }),
    );
    return 0;
  });
}
