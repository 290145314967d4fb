import { setImmediate } from "node:timers/promises";
import type { Random } from "../schema/random/random.ts";
import type { BranchCoverage } from "./coverage.ts";
import { type FuzzFault, execute } from "./execution.ts";
import { enlarge, mutate } from "./mutate.ts";
import type { FuzzTarget } from "./target.ts";

export type Limits = {
  readonly executions: number;
  readonly cpuSeconds: number;
  /** CPU time without a new branch. */
  readonly staleSeconds: number;
};

export type LoopState = {
  executions: number;
  branches: number;
  inputs: number;
  cpuSeconds: number;
  /** The CPU time at which the last new branch was reached. */
  progressSeconds: number;
  /** The signatures of the faults that were reported. */
  readonly faults: string[];
};

export function createState(): LoopState {
  return { executions: 0, branches: 0, inputs: 0, cpuSeconds: 0, progressSeconds: 0, faults: [] };
}

export type Loop = {
  readonly target: FuzzTarget;
  readonly coverage: BranchCoverage;
  readonly random: Random;
  readonly limits: Limits;
  readonly inputs: readonly Buffer[];
  readonly state: LoopState;
  /** The CPU time of the process, in seconds. */
  readonly readCpu: () => number;
  readonly onExecution?: (input: Buffer) => void;
  readonly onNew?: (input: Buffer) => void;
  readonly onFault: (fault: FuzzFault, input: Buffer) => Promise<void>;
};

const MAX_BYTES = 4096;
/** One of so many inputs is large. What it reaches is not counted, so that a smaller input that reaches it is still kept. */
const LARGE_EVERY = 500;
const LARGE_BYTES = 1 << 18;
/** Executions between two looks at the clock. */
const STRIDE = 64;

/** Runs a target with its seeds and what is made of them, and keeps each input that reaches something new. */
export async function runLoop(loop: Loop): Promise<LoopState> {
  const { target, coverage, random, limits, state } = loop;
  const maxBytes = target.maxBytes ?? MAX_BYTES;
  const corpus: Buffer[] = [];
  for (const input of [...target.seeds.map((seed) => Buffer.from(seed)), ...loop.inputs])
    if (await tryInput(loop, input)) corpus.push(input);
  if (corpus.length === 0) corpus.push(Buffer.from("\n"));
  state.inputs = corpus.length;
  const texts = [...coverage.texts];
  while (!isOver(loop, limits)) {
    // Native memory, such as that of decompression, is given back between the turns of the event loop.
    if (state.executions % STRIDE === 0) await setImmediate();
    const donor = random.oneOf(corpus) ?? Buffer.alloc(0);
    const input = mutate(selectInput(corpus, random), random, { texts, donor, maxBytes });
    if (state.executions % LARGE_EVERY === 0) await run(loop, enlarge(input, random, LARGE_BYTES));
    if (!(await tryInput(loop, input))) continue;
    corpus.push(input);
    loop.onNew?.(input);
    state.inputs = corpus.length;
  }
  return state;
}

/** The newest inputs led somewhere last, and so do their neighbours. */
function selectInput(corpus: readonly Buffer[], random: Random): Buffer {
  const isNew = random.chance(0.4);
  const index = isNew ? corpus.length - 1 - random.below(Math.min(corpus.length, 20)) : random.below(corpus.length);
  return corpus[index] ?? Buffer.alloc(0);
}

function isOver({ state, readCpu }: Loop, { executions, cpuSeconds, staleSeconds }: Limits): boolean {
  if (state.executions >= executions) return true;
  if (state.executions % STRIDE !== 0) return false;
  const now = readCpu();
  return now >= cpuSeconds || now - state.progressSeconds >= staleSeconds;
}

/** Returns whether the input reached something new. */
async function tryInput(loop: Loop, input: Buffer): Promise<boolean> {
  const { coverage, state } = loop;
  coverage.clear();
  const fault = await run(loop, input);
  const isNew = coverage.hasNew();
  const branches = coverage.countBranches();
  if (branches > state.branches) state.progressSeconds = loop.readCpu();
  state.branches = branches;
  return isNew && fault === undefined;
}

async function run({ target, state, onExecution, onFault }: Loop, input: Buffer): Promise<FuzzFault | undefined> {
  onExecution?.(input);
  const fault = await execute(target, input);
  state.executions += 1;
  if (fault !== undefined) await onFault(fault, input);
  return fault;
}
