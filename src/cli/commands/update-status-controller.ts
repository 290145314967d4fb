import { setTimeout as pause } from "node:timers/promises";
import { apiOf } from "../../controller/api.ts";
import { runStatusController } from "../../controller/status-insight.ts";
import type { Arguments } from "../arguments.ts";
import { connectionOf } from "../connection.ts";
import type { Io } from "../io.ts";
import { jsonLog } from "../log.ts";
import { VERSION } from "../version.ts";

export async function updateStatusController(args: Arguments, io: Io): Promise<number> {
  const say = jsonLog(io.err, io.now);
  const connection = await connectionOf(args, io);
  const api = apiOf(connection, `target-release-preflight/${VERSION}`);
  const sleep = async (ms: number, signal: AbortSignal) => pause(ms, undefined, { signal }).catch(() => undefined);
  say.info("the update status controller follows ClusterVersion", { server: connection.server });
  await runStatusController({ api, sleep, say }, io.stop);
  connection.close();
  say.info("stopped");
  return 0;
}
