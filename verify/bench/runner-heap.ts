// What a runner keeps from cycle to cycle: heap snapshots of both of its processes, each after a full collection, early and late in a run of
// many cycles. Writes its rows into docs/scale.md. Needs a built dist/ and Linux.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { writeServerKubeconfig } from "../api-server/kubeconfig.ts";
import { eventually } from "../shared/eventually.ts";
import { COMMON, requireFlags } from "../shared/flags.ts";
import { formatTable, updatePage } from "../shared/markdown.ts";
import { EXECUTABLE } from "../shared/preflight.ts";
import { withTemporaryFolder } from "../shared/temporary-folder.ts";
import { type HeapFigures, readHeap } from "./heap-figures.ts";
import { type MockList, startMockCluster } from "./mock-cluster.ts";
import { readChildren } from "./processes.ts";

const COMMAND = "node verify/bench/runner-heap.ts --write";
const SIGNAL = "SIGUSR2";

const { values } = requireFlags({
  command: "node verify/bench/runner-heap.ts",
  about: "Runs many cycles, and compares what is alive after the first tenth of them with what is after the last.",
  flags: {
    cycles: { type: "string", default: "300", help: "how many cycles" },
    objects: { type: "string", default: "5000", help: "disruption budgets that each cycle reads" },
    write: COMMON.write,
  },
});

function formatBudget(index: number): string {
  const metadata = { name: `budget-${index}`, namespace: `team-${index % 100}`, uid: String(index), generation: 1 };
  const status = {
    observedGeneration: 1,
    disruptionsAllowed: 1,
    currentHealthy: 1,
    desiredHealthy: 0,
    expectedPods: 1,
  };
  return JSON.stringify({ metadata, spec: { minAvailable: 0, selector: { matchLabels: { app: "a" } } }, status });
}

const BUDGETS: MockList = {
  apiVersion: "policy/v1",
  kind: "PodDisruptionBudget",
  path: "/apis/policy/v1/poddisruptionbudgets",
  count: Number(values.objects),
  format: formatBudget,
};

/** Resolves once each process of the runner has written another snapshot, which collects garbage first. */
async function takeSnapshots(pid: number, folder: string): Promise<readonly HeapFigures[]> {
  const pids = [pid, ...readChildren(pid)];
  const before = new Set(listSnapshots(folder));
  for (const one of pids) process.kill(one, SIGNAL);
  let heaps: readonly HeapFigures[] = [];
  await eventually(async () => {
    const added = listSnapshots(folder).filter((name) => !before.has(name));
    heaps = added.map((name) => readHeap(readFileSync(join(folder, name), "utf8")));
    if (heaps.length < pids.length) throw new Error("not all snapshots are written");
  }, 1_000);
  return heaps;
}

function listSnapshots(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => name.endsWith(".heapsnapshot"));
}

async function run(folder: string): Promise<string> {
  const cluster = await startMockCluster([BUDGETS]);
  mkdirSync(join(folder, "document"));
  const kubeconfig = writeServerKubeconfig(folder, cluster.url);
  const document = join(folder, "document", "heap.json");
  const flags = [
    "--kubeconfig",
    kubeconfig,
    "--target-version",
    "v1.36",
    "--interval",
    "100ms",
    "--document",
    document,
  ];
  const env = { ...process.env, NODE_OPTIONS: `--heapsnapshot-signal=${SIGNAL}` };
  const runner = spawn(process.execPath, [EXECUTABLE, "--format=preflight-v1-json", ...flags], {
    cwd: folder,
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  process.once("exit", () => runner.kill());
  let cycles = 0;
  runner.stderr.setEncoding("utf8").on("data", (text: string) => (cycles += text.split('"seconds":').length - 1));
  const wait = async (count: number): Promise<readonly HeapFigures[]> => {
    while (cycles < count && runner.exitCode === null) await sleep(100);
    if (runner.exitCode !== null) throw new Error(`the runner ended with ${runner.exitCode}`);
    return takeSnapshots(runner.pid ?? 0, folder);
  };
  const all = Number(values.cycles);
  const early = await wait(Math.ceil(all / 10));
  const late = await wait(all);
  runner.kill();
  cluster.close();
  return formatTable(
    ["alive, in both processes", `after ${Math.ceil(all / 10)} cycles`, `after ${all} cycles`],
    (["objects", "code"] as const).map((part) => [
      part === "objects" ? "objects and texts" : "what V8 knows of code",
      ...[early, late].map((heaps) => `${(heaps.reduce((sum, one) => sum + one[part], 0) / 1_048_576).toFixed(2)} MiB`),
    ]),
  );
}

const table = await withTemporaryFolder("heap", run);
if (values.write) updatePage("docs/scale.md", { "what a runner keeps": table }, COMMAND);
console.log(table);
process.exit(0);
