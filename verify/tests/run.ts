/** `npm test`: runs the test files that the arguments name, or all, in as many processes at once as keep this machine busy. */
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { PLANE_HOST, hostPlanes } from "../api-server/plane-host.ts";
import { endIdlePlanes } from "../api-server/plane-pool.ts";
import { endAllJobs, type JobResult, runJob } from "./job-process.ts";
import { runJobs } from "./job-queue.ts";
import { createMemoryFolder } from "./memory-folder.ts";
import { type FileCost, type Job, planJobs } from "./plan.ts";
import { repeatFailed } from "./repeat.ts";
import { countTests, formatJob, formatSummary } from "./summary.ts";

const USAGE =
  "npm test -- [FILE|FOLDER...] [--jobs N] [--seed N] [--share I/N] [--repeat-failed] [--write-costs] [--test-name-pattern=TEXT]";
const COSTS = "test/costs.json";
const OWN_PROCESS = "test/own-process.json";
/** Files by the control plane that they lease most from the pool of their process. */
const TOGETHER = "test/control-planes.json";
/** For a test that hangs, on a machine however busy. */
const JOB_MINUTES = 70;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** How many processes at once. */
    jobs: { type: "string" },
    /** Shuffles the files, so that others meet in a process, in another order. */
    seed: { type: "string" },
    /** "2/3" runs the second of three shares. */
    share: { type: "string" },
    /** Runs what failed once more, alone, and tells what passed then: it depends on luck. */
    "repeat-failed": { type: "boolean", default: false },
    /** Writes what each file took, by which the next run orders them. */
    "write-costs": { type: "boolean", default: false },
    "test-name-pattern": { type: "string", multiple: true, default: [] },
  },
});

/** The test files of a folder, or those that a pattern names. */
function findFiles(place: string): readonly string[] {
  const isFolder = statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return globSync(isFolder ? join(place, "**/*.test.ts") : place);
}

function selectShare(jobs: readonly Job[], share: string | undefined): readonly Job[] {
  const [index = 1, count = 1] = (share ?? "1/1").split("/").map(Number);
  return jobs.filter((_, i) => i % count === index - 1);
}

function readCosts(): ReadonlyMap<string, FileCost> {
  const costs: Readonly<Record<string, Omit<FileCost, "file">>> = JSON.parse(readFileSync(COSTS, "utf8"));
  return new Map(Object.entries(costs).map(([file, cost]) => [file, { file, ...cost }]));
}

function writeCosts(measured: readonly FileCost[], former: ReadonlyMap<string, FileCost>): void {
  const costs = new Map([...former, ...measured.map((one) => [one.file, one] as const)]);
  const round = (value: number): number => Math.round(value * 10) / 10;
  const rows = [...costs.values()]
    .filter(({ file }) => statSync(file, { throwIfNoEntry: false }) !== undefined)
    .toSorted((a, b) => (a.file < b.file ? -1 : 1))
    .map(
      ({ file, cpu, seconds }) => `  ${JSON.stringify(file)}: { "cpu": ${round(cpu)}, "seconds": ${round(seconds)} }`,
    );
  writeFileSync(COSTS, `{\n${rows.join(",\n")}\n}\n`);
}

async function main(): Promise<number> {
  const places = positionals.length === 0 ? ["test"] : positionals;
  const empty = places.filter((place) => findFiles(place).length === 0);
  if (empty.length > 0) {
    console.error(`no test file: ${empty.join(" ")} (${USAGE})`);
    return 2;
  }
  const files = [...new Set(places.flatMap(findFiles))].toSorted();
  const processors = availableParallelism();
  const limits = { processes: Number(values.jobs ?? 3 * processors), processors: processors + 0.8 };
  const costs = readCosts();
  const alone = new Set(Object.keys(JSON.parse(readFileSync(OWN_PROCESS, "utf8"))));
  const seed = values.seed === undefined ? {} : { seed: Number(values.seed) };
  const together = JSON.parse(readFileSync(TOGETHER, "utf8"));
  const jobs = selectShare(planJobs(files, { costs, alone, together, ...seed }), values.share);
  const folder = createFolder();
  process.env[PLANE_HOST] = join(folder, "planes");
  const planes = hostPlanes(join(folder, "planes"));
  const flags = values["test-name-pattern"].map((pattern) => `--test-name-pattern=${pattern}`);
  const runAndTell = async (job: Job, id: number): Promise<JobResult> => {
    const result = await runJob(job, id, { folder, flags, minutes: JOB_MINUTES });
    console.log(formatJob(result));
    return result;
  };
  const first = await runJobs(jobs, limits, runAndTell);
  const { results, lucky } = values["repeat-failed"]
    ? await repeatFailed(first, (job, index) => runAndTell(job, jobs.length + index))
    : { results: first, lucky: [] };
  if (values["write-costs"])
    writeCosts(
      first.flatMap((one) => one.costs),
      costs,
    );
  planes.close();
  await endIdlePlanes();
  console.log(formatSummary(results, lucky));
  const { passed, failed } = countTests(results);
  return failed > 0 || passed === 0 ? 1 : 0;
}

/** For results, and, in memory, for all that tests write; gone when this process ends, whatever ends it. */
function createFolder(): string {
  const memory = process.env["TMPDIR"] === undefined ? createMemoryFolder() : undefined;
  if (memory !== undefined) process.env["TMPDIR"] = memory;
  const folder = mkdtempSync(join(tmpdir(), "preflight-tests-"));
  process.once("exit", () => rmSync(memory ?? folder, { recursive: true, force: true }));
  return folder;
}

for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)
  process.once(signal, () => {
    endAllJobs();
    process.exit(code);
  });

process.exitCode = await main();
