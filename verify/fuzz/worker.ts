/** The process that runs one target: `node verify/fuzz/worker.ts` with its job as JSON. */
import { mkdirSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { createRandom } from "../schema/random/random.ts";
import { openInputs } from "./corpus.ts";
import { openCoverage } from "./coverage.ts";
import { type FuzzFault, execute } from "./execution.ts";
import { FILES, type Job, type Leftover, type Watch } from "./job.ts";
import { runLoop } from "./loop.ts";
import { minimize } from "./minimize.ts";
import type { FuzzTarget } from "./target.ts";

const MINIMIZE_TRIES = 2000;
const SAVE_EVERY = 500;

await work(JSON.parse(process.argv[2] ?? ""));

async function work(job: Job): Promise<void> {
  mkdirSync(join(job.folder, "running"), { recursive: true });
  const coverage = openCoverage();
  const module: { readonly target: FuzzTarget } = await import(pathToFileURL(job.file).href);
  const begin = startWatchdog(job);
  save(job, { isDone: false, state: job.state });
  if (job.replay !== undefined) await replay(job, module.target, begin);
  else await fuzz(job, module.target, coverage, begin);
  process.exit(0);
}

/** Returns the function to call at the beginning of each execution. The input is written down first: nothing can be written after an abort. */
function startWatchdog({ folder, hangSeconds, memoryMib }: Job): (input: Buffer) => void {
  const counter = new Int32Array(new SharedArrayBuffer(4));
  const watch: Watch = { counter, reasonFile: join(folder, FILES.reason), hangSeconds, memoryMib };
  new Worker(new URL("watchdog.ts", import.meta.url), { workerData: watch }).unref();
  const file = openSync(join(folder, FILES.input), "w");
  const length = Buffer.alloc(4);
  return (input) => {
    length.writeUInt32LE(input.length);
    writeSync(file, Buffer.concat([length, input]), 0, 4 + input.length, 0);
    Atomics.add(counter, 0, 1);
  };
}

async function replay(job: Job, target: FuzzTarget, begin: (input: Buffer) => void): Promise<void> {
  const input = readFileSync(job.replay ?? "");
  begin(input);
  const fault = await execute(target, input);
  save(job, { isDone: true, state: job.state, ...(fault && { fault }) });
}

async function fuzz(
  job: Job,
  target: FuzzTarget,
  coverage: ReturnType<typeof openCoverage>,
  begin: (input: Buffer) => void,
): Promise<void> {
  const corpus = openInputs(join(job.folder, "corpus"));
  const { state } = job;
  const cpuBefore = state.cpuSeconds;
  const readCpu = (): number => {
    const { user, system } = process.cpuUsage();
    return cpuBefore + (user + system) / 1e6;
  };
  const onExecution = (input: Buffer): void => {
    begin(input);
    if (state.executions % SAVE_EVERY === 0) save(job, { isDone: false, state: { ...state, cpuSeconds: readCpu() } });
  };
  await runLoop({
    target,
    coverage,
    random: createRandom(job.seed),
    limits: job.limits,
    inputs: corpus.read(),
    state,
    readCpu,
    onExecution,
    onNew: corpus.add,
    onFault: (fault, input) => report(job, target, fault, input, begin),
  });
  save(job, { isDone: true, state: { ...state, cpuSeconds: readCpu() } });
}

/** Saves the smallest input with this fault, the first time that it appears. */
async function report(
  { folder, state }: Job,
  target: FuzzTarget,
  { signature, text }: FuzzFault,
  input: Buffer,
  begin: (input: Buffer) => void,
): Promise<void> {
  if (state.faults.includes(signature)) return;
  state.faults.push(signature);
  const isSame = async (candidate: Buffer): Promise<boolean> => {
    begin(candidate);
    return (await execute(target, candidate))?.signature === signature;
  };
  const path = openInputs(join(folder, "findings")).add(await minimize(input, isSame, MINIMIZE_TRIES));
  writeFileSync(`${path}.txt`, `${signature}\n${text}\n`);
  process.stdout.write(`${signature}\n  ${text.split("\n")[0]?.slice(0, 300) ?? ""}\n  replay: ${path}\n`);
}

/** Never leaves half a file to the process that reads it. */
function save({ folder }: Job, leftover: Leftover): void {
  const path = join(folder, FILES.leftover);
  writeFileSync(`${path}.new`, JSON.stringify(leftover));
  renameSync(`${path}.new`, path);
}
