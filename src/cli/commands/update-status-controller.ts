import { systemClock } from "../../cluster/retry.ts";
import { apiOf } from "../../controller/api.ts";
import { runStatusController } from "../../controller/status-insight.ts";
import type { Arguments } from "../arguments.ts";
import { connectionOf } from "../connection.ts";
import type { Io } from "../io.ts";
import { jsonLog } from "../log.ts";
import { USER_AGENT } from "../version.ts";

export async function updateStatusController(args: Arguments, io: Io): Promise<number> {
  const say = jsonLog(io.err, io.now);
  const connection = await connectionOf(args, io);
  const api = apiOf(connection, USER_AGENT);
  say.info("the update status controller follows ClusterVersion", { server: connection.server });
  await runStatusController({ api, sleep: systemClock.sleep, say }, io.stop);
  connection.close();
  say.info("stopped");
  return 0;
}
