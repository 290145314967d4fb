import { spawn } from "node:child_process";
import { openSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type AdminApi, connectAdminApi } from "../api-server/admin-api.ts";
import {
  type ControlPlane,
  startCluster,
  startControllers,
  startEmulatedCluster,
} from "../api-server/control-plane.ts";
import { eventually } from "../shared/eventually.ts";
import { createRandom } from "../schema/random/random.ts";
import type { PlayedPair, PlayedWorld } from "./fault.ts";

/** What faults need to play workloads and budgets; a scheduler and a kubelet are the fault's own. */
const CONTROLLERS = [
  "deployment-controller",
  "replicaset-controller",
  "statefulset-controller",
  "disruption-controller",
];
const PAUSE_MS = 50;
/** An API server waits for its clients' watches, which the controllers keep open. */
const GRACE_PAUSES = 40;
const MAX_PAUSES = 200;

/** Starts a cluster of the pair's source. `payload`: where the target's will be. */
export async function startWorld(pair: PlayedPair, seed: number, payload: string): Promise<PlayedWorld> {
  const { source, emulated } = pair;
  const cluster = await (emulated ? startEmulatedCluster(source, emulated.before) : startCluster(source));
  await startControllers(cluster, CONTROLLERS);
  return { cluster, api: await connect(cluster), pair, payload, random: createRandom(seed) };
}

/** The API server of the target in place of the source's: same store, same address. */
export async function replaceApiServer(world: PlayedWorld): Promise<PlayedWorld> {
  const { cluster, pair } = world;
  world.api.close();
  const [command = "", ...flags] = await endApiServer(cluster);
  const at = flags.indexOf("--emulated-version");
  const plain = at === -1 ? flags : flags.toSpliced(at, 2);
  const emulation = pair.emulated ? ["--emulated-version", `1.${pair.emulated.after}`] : [];
  const log = openSync(join(cluster.env["ENVTEST_DIR"] ?? "", "kube-apiserver.log"), "a");
  const child = spawn(command, [...plain, ...emulation], { detached: true, stdio: ["ignore", log, log] });
  child.unref();
  await writeFile(getPidFile(cluster), `${child.pid}\n`);
  const api = await connect(cluster);
  await eventually(() => waitUntilReady(api));
  return { ...world, api };
}

const MAX_ATTEMPTS = 3;

/** On a busy machine an API server that builds its schemas anew may not answer in time. */
async function connect(cluster: ControlPlane): Promise<AdminApi> {
  const api = await connectAdminApi(cluster);
  const call: AdminApi["call"] = async (...request) => {
    for (let attempt = 1; ; attempt += 1)
      try {
        return await api.call(...request);
      } catch (thrown) {
        if (attempt === MAX_ATTEMPTS) throw thrown;
      }
  };
  return { ...api, call };
}

async function waitUntilReady(api: AdminApi): Promise<void> {
  const { code } = await api.call("GET", "/readyz");
  if (code !== 200) throw new Error(`the API server of the target is not ready: ${code}`);
}

/** Ends the process, and returns its command line. */
async function endApiServer(cluster: ControlPlane): Promise<readonly string[]> {
  const pid = Number(await readFile(getPidFile(cluster), "utf8"));
  const line = await readCommandLine(pid);
  process.kill(pid, "SIGTERM");
  for (let pauses = 0; (await readCommandLine(pid)).length > 0; pauses += 1) {
    if (pauses === GRACE_PAUSES) process.kill(pid, "SIGKILL");
    if (pauses === MAX_PAUSES) throw new Error("the API server of the source does not end");
    await sleep(PAUSE_MS);
  }
  return line;
}

/** Empty once the process has ended. */
async function readCommandLine(pid: number): Promise<readonly string[]> {
  const text = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  return text.split("\0").slice(0, -1);
}

function getPidFile({ env }: ControlPlane): string {
  return env["APISERVER_PIDFILE"] ?? "";
}
