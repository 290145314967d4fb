import { systemClock } from "../../cluster/access/retry.ts";
import { runStatusController } from "../../controller/status-controller.ts";
import type { ConnectionValues } from "../command-line/shared-settings.ts";
import { openApi } from "../client/api-client.ts";
import type { Io } from "../io.ts";
import { createJsonLogger } from "../logger.ts";

export async function run(values: ConnectionValues, io: Io): Promise<number> {
  const log = createJsonLogger(io.err, io.now);
  const { api, server, close } = await openApi(values, io, log.warn);
  log.info("the update status controller follows ClusterVersion", { server });
  await runStatusController({ api, sleep: systemClock.sleep, log }, io.stopSignal);
  close();
  log.info("stopped");
  return 0;
}
