import { systemClock } from "../../cluster/access/retry.ts";
import { createApiClient } from "../../controller/api/api-client.ts";
import { runStatusController } from "../../controller/status-controller.ts";
import type { ConnectionValues } from "../command-line/shared-settings.ts";
import { connectCluster } from "../client/connection.ts";
import type { Io } from "../io.ts";
import { createJsonLogger } from "../logger.ts";
import { USER_AGENT } from "../version.ts";

export async function run(values: ConnectionValues, io: Io): Promise<number> {
  const log = createJsonLogger(io.err, io.now);
  const connection = await connectCluster(values, io);
  const api = createApiClient(connection, USER_AGENT);
  log.info("the update status controller follows ClusterVersion", { server: connection.server });
  await runStatusController({ api, sleep: systemClock.sleep, log }, io.stopSignal);
  connection.close();
  log.info("stopped");
  return 0;
}
