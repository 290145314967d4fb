// By which power of each size time and memory grow: one size of a mock cluster, a fleet or a plan grows, all others stay as they are.
// Writes its rows into docs/scale.md. Needs a built dist/ and Linux.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { parseObject } from "../../src/model/json.ts";
import { writeServerKubeconfig } from "../api-server/kubeconfig.ts";
import { COMMON, endWithout, requireFlags } from "../shared/flags.ts";
import { updatePage } from "../shared/markdown.ts";
import { EXECUTABLE } from "../shared/preflight.ts";
import { withTemporaryFolder } from "../shared/temporary-folder.ts";
import { formatDataCheck } from "./data-checks.ts";
import { type ClusterSizes, startLargeCluster } from "./large-cluster.ts";
import { formatLaws, type Law, type LawPoint } from "./law-figures.ts";
import { measure } from "./processes.ts";
import { buildInstalledCrd, buildTargetCrd, startWidgetCluster } from "./widgets.ts";

const COMMAND = "node verify/bench/scale-laws.ts --write";
const PATIENT = ["--check-timeout", "30m", "--cycle-timeout", "30m"];
const SMALL: ClusterSizes = { nodes: 10, pods: 100, namespaces: 10, budgets: 10, crds: 10, webhooks: 0 };
/** The smallest minor of a plan's cluster, and the newest that the support dates know. */
const LAST_MINOR = 36;

const { values } = requireFlags({
  command: "node verify/bench/scale-laws.ts",
  about: "Measures by which power of each size time and memory grow.",
  flags: {
    most: { type: "string", default: "1000000", help: "no size beyond this one" },
    only: { type: "string", help: "only the laws of which the name has this" },
    write: COMMON.write,
  },
});

type MeasuredLaw = {
  readonly name: string;
  readonly sizes: readonly number[];
  readonly measure: (size: number, folder: string) => Promise<LawPoint>;
};

type Requests = { readonly takeRequests: () => number };

/** Throws if the command did not do all of it: its cost would then say nothing. */
async function run(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  codes: readonly number[],
  server?: Requests,
): Promise<LawPoint> {
  server?.takeRequests();
  const { code, out, cpuSeconds, peakMib } = await measure({
    file: process.execPath,
    args: [EXECUTABLE, ...args],
    env: { ...env, PREFLIGHT_NO_CONFIG: "true" },
  });
  if (code === null || !codes.includes(code))
    throw new Error(`${args.join(" ")} ended with ${code}: ${out.slice(0, 999)}`);
  return { cpuSeconds, peakMib, requests: server?.takeRequests() };
}

const COMPLETE = [0, 3];

/** All checks of Kubernetes on a cluster of which one size is given. */
function growCluster(name: keyof ClusterSizes, more: readonly string[] = []): MeasuredLaw["measure"] {
  return async (size, folder) => {
    const cluster = await startLargeCluster({ ...SMALL, [name]: size });
    try {
      const env = { KUBECONFIG: writeServerKubeconfig(folder, cluster.url) };
      return await run(["check", "--target-version", "v1.36", ...PATIENT, ...more], env, COMPLETE, cluster);
    } finally {
      cluster.close();
    }
  };
}

async function judgeObjects(size: number, folder: string): Promise<LawPoint> {
  const cluster = await startWidgetCluster();
  const crd = join(folder, "widgets.json");
  await writeFile(crd, JSON.stringify(buildTargetCrd()));
  cluster.setCount(size);
  try {
    const env = { KUBECONFIG: writeServerKubeconfig(folder, cluster.url) };
    return await run(["check", "--crds", crd, ...PATIENT], env, COMPLETE, cluster);
  } finally {
    cluster.close();
  }
}

/** Definitions that the target changes, by their count, without objects. */
async function compareDefinitions(size: number, folder: string): Promise<LawPoint> {
  const [installed, target] = [buildInstalledCrd(), buildTargetCrd()].map((crd, i) => ({
    crd,
    path: join(folder, `crds-${i}.json`),
  }));
  if (installed === undefined || target === undefined) throw new Error("there are two");
  for (const { crd, path } of [installed, target])
    await writeFile(
      path,
      Array.from({ length: size }, (_, i) => JSON.stringify(crd).replaceAll("widget", `widget${i}x`)).join("\n---\n"),
    );
  return run(["crds", "--from", installed.path, "--to", target.path], {}, COMPLETE);
}

async function addChecks(size: number, folder: string): Promise<LawPoint> {
  if (size === 0) return growCluster("pods")(100_000, folder);
  const checks = join(folder, `checks-${size}`);
  await mkdir(checks);
  for (let i = 0; i < size; i++) await writeFile(join(checks, `check-${i}.yaml`), formatDataCheck(i));
  return growCluster("pods", ["--checks", checks])(100_000, folder);
}

/** One result of the demo as that of many clusters. */
async function gatherFleet(size: number, folder: string): Promise<LawPoint> {
  const results = join(folder, `results-${size}`);
  await mkdir(results);
  const demo = ["check", "--recorded", "demo", "--target", "demo/release", "-o", "json"];
  const { out } = await measure({ file: process.execPath, args: [EXECUTABLE, ...demo] });
  const result = parseObject(out) ?? {};
  for (let i = 0; i < size; i++) {
    const cluster = { name: `cluster-${i}`, id: `00000000-0000-4000-8000-${String(i).padStart(12, "0")}` };
    await writeFile(join(results, `${cluster.name}.json`), JSON.stringify({ ...result, cluster }));
  }
  return run(["fleet", "--from", results], {}, [0, 3, 4]);
}

async function planMinors(size: number, folder: string): Promise<LawPoint> {
  const cluster = await startLargeCluster(SMALL, LAST_MINOR - size);
  try {
    const env = { KUBECONFIG: writeServerKubeconfig(folder, cluster.url) };
    return await run(["plan", "--to", `v1.${LAST_MINOR}`], env, [0, 3, 4], cluster);
  } finally {
    cluster.close();
  }
}

const LAWS: readonly MeasuredLaw[] = [
  { name: "objects of a kind that is judged anew", sizes: [1_000, 10_000, 100_000, 1_000_000], measure: judgeObjects },
  { name: "kinds", sizes: [10, 100, 1_000, 5_000], measure: growCluster("crds") },
  { name: "definitions that the target changes (`crds`)", sizes: [10, 100, 1_000, 5_000], measure: compareDefinitions },
  { name: "namespaces", sizes: [10, 100, 1_000, 10_000], measure: growCluster("namespaces") },
  { name: "nodes", sizes: [10, 100, 1_000, 5_000], measure: growCluster("nodes") },
  { name: "pods", sizes: [100, 1_000, 10_000, 150_000], measure: growCluster("pods") },
  { name: "checks that are data, with 100,000 pods", sizes: [0, 1, 10, 100], measure: addChecks },
  { name: "findings on a page", sizes: [10, 100, 1_000, 10_000], measure: growCluster("webhooks", ["-o", "html"]) },
  { name: "clusters of a fleet", sizes: [10, 100, 1_000], measure: gatherFleet },
  { name: "minors of a plan", sizes: [1, 2, 4, 8], measure: planMinors },
];

async function main(folder: string): Promise<void> {
  const laws: Law[] = [];
  for (const { name, sizes, measure: measureSize } of LAWS.filter((law) => law.name.includes(values.only ?? ""))) {
    const points: (readonly [size: number, point: LawPoint])[] = [];
    for (const size of sizes.filter((one) => one <= Number(values.most))) {
      const point = await measureSize(size, folder);
      points.push([size, point]);
      process.stderr.write(`${name}, ${size}: ${JSON.stringify(point)}\n`);
    }
    laws.push({ name, points: new Map(points) });
  }
  const table = formatLaws(laws);
  process.stdout.write(`${table}\n`);
  if (values.write) updatePage("docs/scale.md", { "the laws": table }, COMMAND);
}

if (process.platform !== "linux") endWithout("it reads /proc");
await withTemporaryFolder("scale-laws", main);
