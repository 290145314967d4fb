/**
 * Writes bench/RESULTS.md: how fast and how small preflight is, beside the limit (plain GETs), kubectl and a bare Node, in one run.
 * `npm run bench -- [--quick] [--compare]`. --quick: 10,000 objects at most, and the page on stdout instead. --compare: write
 * nothing, and fail if a ratio got worse.
 * Needs a built dist/, Linux and the test control plane.
 */
import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { cpus, loadavg, release as getKernel, totalmem } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { type ControlPlane, createPayload, noControlPlane, startCluster } from "./api-server/control-plane.ts";
import { writeServerKubeconfig } from "./api-server/kubeconfig.ts";
import { withTemporaryFolder } from "./shared/temporary-folder.ts";
import { computeLimits, computeRatios, findWorse, type Sizes } from "./bench/ratios.ts";
import { startLargeCluster } from "./bench/large-cluster.ts";
import { formatResults, type Results } from "./bench/results-page.ts";
import { runRounds, type Series } from "./bench/sample.ts";
import {
  buildKindCases,
  buildKubectlCase,
  buildLargeCase,
  buildMockCases,
  buildOtherCases,
  buildRegistryCases,
  buildStartCases,
} from "./bench/scenarios.ts";
import { COMMON, endWithout, requireFlags } from "./shared/flags.ts";
import { buildTargetCrd, startWidgetCluster } from "./bench/widgets.ts";

const ROOT = join(import.meta.dirname, "..");
const FOLDER = join(ROOT, "bench");
const MAKE_PAYLOAD = join(import.meta.dirname, "bench", "make-payload.ts");
const SOURCE = "4.18";
const TARGET = "4.20";
const TARGET_VERSION = "4.20.3";

const SIZES: Sizes = { real: [1_000, 10_000, 100_000], mock: [100_000, 1_000_000] };
const QUICK_SIZES: Sizes = { real: [1_000, 10_000], mock: [1_000, 10_000] };
/** Page sizes of the plain GETs of the largest list; the smaller lists are read with the second alone. */
const LIMITS = [500, 2_000, 5_000, 0];
const ROUNDS = 3;
const START_ROUNDS = 10;
/** A list of so many objects takes long enough to be measured once. */
const ONCE_FROM = 1_000_000;

type Tables = ReadonlyMap<string, readonly Series[]>;

const { values } = requireFlags({
  command: "npm run bench --",
  about: "Measures time, memory and requests of commands beside plain requests for the same objects.",
  flags: {
    quick: { type: "boolean", default: false, help: "fewer objects, in a few minutes" },
    compare: { type: "boolean", default: false, help: "find what is a fifth worse than bench/ratios.json says" },
    write: COMMON.write,
  },
});
const { quick: isQuick, compare: isComparing, write: isWriting } = values;

function say(text: string): void {
  process.stderr.write(`bench: ${text}\n`);
}

async function measureReal(cluster: ControlPlane, folder: string, crd: string, { real }: Sizes): Promise<Tables> {
  const tables = new Map<string, readonly Series[]>();
  say("all checks on the seeded cluster");
  const { cases } = buildOtherCases(cluster);
  const registry = buildRegistryCases(cluster, await createTargets(folder));
  tables.set(`The seeded cluster, ${SOURCE} to ${TARGET}`, await runRounds(ROUNDS, [...registry, ...cases]));
  for (const count of real) {
    say(`${count} objects`);
    const scale = ["--scale", `${count}`, "--scale-kind", "custom", "--scale-via", "etcd"];
    await cluster.script("seed.sh", SOURCE, "--no-cluster", ...scale);
    const isLargest = count === real.at(-1);
    const series = await runRounds(
      ROUNDS,
      buildKindCases(cluster, crd, count, isLargest ? LIMITS : LIMITS.slice(1, 2)),
    );
    const kubectl = isLargest ? await runRounds(1, [buildKubectlCase(cluster, count)]) : [];
    tables.set(`One kind of ${count.toLocaleString("en")} objects`, [...series, ...kubectl]);
  }
  return tables;
}

async function createTargets(folder: string): Promise<Parameters<typeof buildRegistryCases>[1]> {
  const crds = await createPayload(join(folder, "target"), TARGET, TARGET_VERSION);
  const payload = join(folder, "payload");
  execFileSync(process.execPath, [MAKE_PAYLOAD, payload, TARGET, TARGET_VERSION], { stdio: "ignore" });
  return [
    { id: "registry", title: "`preflight check`, CRDs as target", folder: crds },
    { id: "payload", title: "`preflight check`, a payload of real size", folder: payload },
  ];
}

async function measureMock(folder: string, crd: string, { mock }: Sizes): Promise<readonly Series[]> {
  const cluster = await startWidgetCluster();
  const kubeconfig = writeServerKubeconfig(folder, cluster.url);
  const series: Series[] = [];
  for (const count of mock) {
    say(`${count} objects of a mock`);
    const rounds = count < ONCE_FROM ? ROUNDS : 1;
    series.push(...(await runRounds(rounds, buildMockCases(cluster, kubeconfig, crd, count))));
  }
  cluster.close();
  return series;
}

async function measureLarge(folder: string): Promise<readonly Series[]> {
  say("a large cluster of a mock");
  const cluster = await startLargeCluster();
  const series = await runRounds(1, [buildLargeCase(cluster, writeServerKubeconfig(folder, cluster.url))]);
  cluster.close();
  return series;
}

async function measureAll(sizes: Sizes, folder: string): Promise<Results> {
  const loadBefore = getLoad();
  const crd = join(folder, "widgets.yaml");
  await writeFile(crd, JSON.stringify(buildTargetCrd()));
  const starts = await runRounds(START_ROUNDS, buildStartCases());
  const mock = await measureMock(folder, crd, sizes);
  const large = isQuick ? [] : await measureLarge(folder);
  const cluster = await startCluster(SOURCE);
  try {
    const real = await measureReal(cluster, folder, crd, sizes);
    const mocks = [
      ["One kind of a mock", mock],
      ["A large cluster of a mock", large],
    ] as const;
    const tables = new Map([["Starting", starts], ...real, ...mocks]);
    const series = [...tables.values()].flat();
    const loadAfter = getLoad();
    const circumstances = {
      commit: execFileSync("git", ["describe", "--always", "--dirty"], { cwd: ROOT, encoding: "utf8" }).trim(),
      machine: `${cpus().length} × ${cpus()[0]?.model ?? "unknown CPU"}, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${getKernel()}`,
      node: `Node ${process.versions.node}`,
      load: `${loadBefore.toFixed(1)} before and ${loadAfter.toFixed(1)} after`,
      isBusy: Math.max(loadBefore, loadAfter) > cpus().length,
      missing: buildOtherCases(cluster).missing,
    };
    return { circumstances, ratios: computeRatios(series, sizes), limits: computeLimits(series, sizes), tables };
  } finally {
    await cluster.down();
  }
}

function getLoad(): number {
  return loadavg()[0] ?? 0;
}

async function compare({ ratios }: Results): Promise<number> {
  const before: Readonly<Record<string, number>> = JSON.parse(await readFile(join(FOLDER, "ratios.json"), "utf8"));
  const worse = findWorse(ratios, before);
  for (const { name, value } of ratios) say(`${name}: ${value.toFixed(3)} (${before[name]?.toFixed(3) ?? "new"})`);
  for (const line of worse) say(`WORSE by more than a fifth: ${line}`);
  return worse.length > 0 ? 1 : 0;
}

async function save(results: Results): Promise<number> {
  await mkdir(FOLDER, { recursive: true });
  const ratios = Object.fromEntries(results.ratios.map(({ name, value }) => [name, Number(value.toPrecision(4))]));
  await writeFile(join(FOLDER, "RESULTS.md"), formatResults(results));
  await writeFile(join(FOLDER, "ratios.json"), `${JSON.stringify(ratios, undefined, 2)}\n`);
  say("wrote bench/RESULTS.md and bench/ratios.json");
  return 0;
}

async function main(): Promise<number> {
  if (noControlPlane) endWithout(noControlPlane);
  const results = await withTemporaryFolder("bench", (folder) => measureAll(isQuick ? QUICK_SIZES : SIZES, folder));
  if (isComparing) return compare(results);
  if (isWriting && !isQuick) return save(results);
  process.stdout.write(formatResults(results));
  return 0;
}

process.exitCode = await main();
