import { HISTORY, REQUEST, RESULT, RUNNER } from "../../controller/api/api-paths.ts";
import { defined } from "../../model/optional.ts";
import type { StatusValues } from "../definitions/status.ts";
import { readClusterVersion, withCluster } from "../client/cluster-client.ts";
import type { Io } from "../io.ts";
import { readControllerPresence } from "../client/controller-presence.ts";
import { formatStatus } from "../status/status.ts";

/** Shows what runs, its result and the results before it. Writes nothing. */
export async function run(values: StatusValues, io: Io): Promise<number> {
  return withCluster(values, io, async (cluster) => {
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
        ...defined({ request, result, history, deployment }),
      }),
    );
    return 0;
  });
}
