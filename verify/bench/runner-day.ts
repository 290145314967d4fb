// What a runner costs over a day: 288 cycles, one right after the other, over a control plane on which nothing changes, with many objects of
// a kind that the target judges anew. Writes its rows into docs/scale.md. PREFLIGHT_EXECUTABLE names another build. Needs a built dist/,
// Linux and the test control plane.
import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { type ControlPlane, createPayload, noControlPlane, startCluster } from "../api-server/control-plane.ts";
import { EXECUTABLE } from "../shared/preflight.ts";
import { COMMON, endWithout, requireFlags } from "../shared/flags.ts";
import { listen } from "../shared/loopback.ts";
import { updatePage } from "../shared/markdown.ts";
import { withTemporaryFolder } from "../shared/temporary-folder.ts";
import { type DayFigures, formatDay, summarizeDay } from "./day-figures.ts";
import { readMemory, readTreeCpuSeconds } from "./processes.ts";
import { buildTargetCrd } from "./widgets.ts";

const COMMAND = "node verify/bench/runner-day.ts --write";
/** Each look makes the runner write its metrics, which takes memory of its own. */
const POLL_MS = 500;
/** How long the API server is watched before, to know what it does by itself. */
const REST_MS = 10_000;

const { values } = requireFlags({
  command: "node verify/bench/runner-day.ts",
  about: "Runs as many cycles as a runner has in a day, and measures what each costs it and the API server.",
  flags: {
    cycles: { type: "string", default: "288", help: "how many cycles" },
    objects: { type: "string", default: "100000", help: "objects of a kind that the target judges anew" },
    seconds: COMMON.seconds,
    write: COMMON.write,
  },
});

/** A target that judges the many objects: they are of a CRD that it changes. */
async function createTarget(folder: string): Promise<string> {
  const target = await createPayload(join(folder, "target"), "4.20", "4.20.3");
  const crd = buildTargetCrd();
  const annotations = { "include.release.openshift.io/self-managed-high-availability": "true" };
  const named = { ...crd, metadata: { name: "widgets.load.preflight.test", annotations } };
  await writeFile(join(target, "release-manifests", "widgets.yaml"), JSON.stringify(named));
  return target;
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

type Counters = ReadonlyMap<string, number>;

/** Of each metric, the sum over its labels. */
function parseMetrics(text: string): Counters {
  const sums = new Map<string, number>();
  for (const [, name = "", value] of text.matchAll(/^(\w+)(?:\{.*\})? ([\d.e+]+)$/gm))
    sums.set(name, (sums.get(name) ?? 0) + Number(value));
  return sums;
}

async function readRunner(port: number): Promise<Counters> {
  try {
    return parseMetrics(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
  } catch {
    return new Map();
  }
}

async function readServerSeconds({ kubectl }: ControlPlane): Promise<number> {
  return parseMetrics(await kubectl(["get", "--raw", "/metrics"])).get("process_cpu_seconds_total") ?? 0;
}

/** The API server's CPU in a second in which nobody asks it for anything. */
async function measureRest(cluster: ControlPlane): Promise<number> {
  const before = await readServerSeconds(cluster);
  const start = performance.now();
  await sleep(REST_MS);
  return ((await readServerSeconds(cluster)) - before) / ((performance.now() - start) / 1_000);
}

async function runDay(cluster: ControlPlane, target: string, folder: string, cycles: number): Promise<DayFigures> {
  const restRate = await measureRest(cluster);
  const port = await findFreePort();
  const flags = ["--target", target, "--interval", "1s", "--document", join(folder, "document", "day.json")];
  const patient = ["--check-timeout", "30m", "--cycle-timeout", "30m", "--listen", `127.0.0.1:${port}`];
  const args = [EXECUTABLE, "--format=preflight-v1-json", ...flags, ...patient];
  const before = { seconds: await readServerSeconds(cluster), start: performance.now() };
  const child = spawn(process.execPath, args, { env: { ...process.env, ...cluster.env }, stdio: "ignore" });
  process.once("exit", () => child.kill());
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
  const samples: DayFigures["samples"][number][] = [];
  const end = before.start + Number(values.seconds ?? Infinity) * 1_000;
  for (let seen = 0; seen < cycles && performance.now() < end;) {
    await sleep(POLL_MS);
    if (child.exitCode !== null) throw new Error(`the runner ended with ${child.exitCode}`);
    const counters = await readRunner(port);
    const count = counters.get("preflight_cycles_total") ?? 0;
    if (count <= seen) continue;
    seen = count;
    samples.push({
      cycle: count,
      cpuSeconds: readTreeCpuSeconds(child.pid ?? 0),
      mib: readMemory(child.pid ?? 0),
      bytes: counters.get("preflight_bytes_read_total") ?? 0,
    });
    if (count % 10 === 0) process.stderr.write(`runner-day: ${count} cycles, ${samples.at(-1)?.mib.toFixed(0)} MiB\n`);
  }
  child.kill();
  const elapsed = (performance.now() - before.start) / 1_000;
  const serverSeconds = (await readServerSeconds(cluster)) - before.seconds - elapsed * restRate;
  const lines = (await cluster.audit()).filter(({ agent }) => agent.includes("preflight"));
  return { samples, serverSeconds, requests: lines.length, refused: lines.filter(({ code }) => code === 429).length };
}

async function main(): Promise<void> {
  if (noControlPlane) endWithout(noControlPlane);
  const cluster = await startCluster("4.18");
  try {
    const objects = Number(values.objects);
    const scale = ["--scale", values.objects, "--scale-kind", "custom", "--scale-via", "etcd"];
    if (objects > 0) await cluster.script("seed.sh", "4.18", "--no-cluster", ...scale);
    const figures = await withTemporaryFolder("day", async (folder) => {
      await mkdir(join(folder, "document"));
      return runDay(cluster, await createTarget(folder), folder, Number(values.cycles));
    });
    const table = formatDay(objects, summarizeDay(figures));
    console.log(table);
    if (values.write) updatePage("docs/scale.md", { [`a day with ${objects} objects`]: table }, COMMAND);
  } finally {
    await cluster.discard();
  }
}

await main();
