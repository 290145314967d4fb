import { systemClock } from "../../cluster/access/retry.ts";
import { runStatusController } from "../../controller/status-controller.ts";
import type { Arguments } from "../command-line/arguments.ts";
import { openApi } from "../client/api-client.ts";
import type { Io } from "../io.ts";
import { createJsonLogger } from "../logger.ts";

export async function updateStatusController(args: Arguments, io: Io): Promise<number> {
  const log = createJsonLogger(io.err, io.now);
  const { api, server, close } = await openApi(args, io, log.warn);
  log.info("the update status controller follows ClusterVersion", { server });
  await runStatusController({ api, sleep: systemClock.sleep, log }, io.stopSignal);
  close();
  log.info("stopped");
  return 0;
}
