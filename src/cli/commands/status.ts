import { HISTORY, REQUEST, RESULT, RUNNER } from "../../controller/places.ts";
import type { Arguments } from "../arguments.ts";
import { clusterVersionOf, withCluster } from "../cluster-access.ts";
import type { Io } from "../io.ts";
import { servedIn } from "../served.ts";
import { statusText } from "../status-text.ts";

/** Tells what runs, what it found, and what was found before. Reads only. */
export async function status(args: Arguments, io: Io): Promise<number> {
  return withCluster(args, io, async (cluster) => {
    const clusterVersion = await clusterVersionOf(cluster);
    const [request, result, history, deployment] = await Promise.all(
      [REQUEST, RESULT, HISTORY, RUNNER].map(cluster.read),
    );
    const now = io.now();
    io.out(
      statusText({
        now,
        served: await servedIn(cluster, now),
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
