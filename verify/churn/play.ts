import { setTimeout as sleep } from "node:timers/promises";
import { formatCanonicalJson, type Json } from "../../src/model/json.ts";
import { flatten } from "./changes.ts";
import { formatInputs } from "./inputs.ts";
import { performStep } from "./perform.ts";
import { formatStep, type Step } from "./schedule.ts";
import { buildExpectedState, type ChurnState, readState } from "./state.ts";
import type { ChurnWorld } from "./world.ts";

export type PlayOptions = {
  /** After how many steps the cluster is left to settle. */
  readonly blockSize: number;
  readonly onProgress: (line: string) => void;
};

/** A span of the run, by the clock. */
export type Span = { readonly from: number; readonly to: number };

export type PlayLog = {
  readonly steps: readonly (Span & { readonly step: Step })[];
  /** Spans in which nothing had any reason to change. */
  readonly settled: readonly Span[];
  readonly span: Span;
};

const POLL_MS = 250;
const SETTLE_MS = 90_000;
/** How long the expected state has to last. */
const QUIET_MS = 1_500;

/** Plays steps in blocks, and compares the cluster with what the inputs say after each. */
export async function playSteps(
  world: ChurnWorld,
  schedule: readonly Step[],
  { blockSize, onProgress }: PlayOptions,
): Promise<PlayLog> {
  const from = Date.now();
  const steps: PlayLog["steps"][number][] = [];
  const settled: Span[] = [];
  for (const [i, step] of schedule.entries()) {
    const stepFrom = Date.now();
    await performStep(world, step);
    steps.push({ from: stepFrom, to: Date.now(), step });
    if ((i + 1) % blockSize !== 0 && i + 1 < schedule.length) continue;
    const begun = Date.now();
    const span = await settle(world).catch((thrown: unknown) => {
      const tail = steps
        .slice(-2 * blockSize)
        .map((one) => `  ${new Date(one.from).toISOString()} ${formatStep(one.step)}`);
      throw new Error(`after step ${i + 1}:\n${tail.join("\n")}`, { cause: thrown });
    });
    settled.push(span);
    onProgress(
      `${i + 1} steps, settled after ${((span.from - begun) / 1_000).toFixed(1)} s: ${formatInputs(world.inputs)}`,
    );
  }
  return { steps, settled, span: { from, to: Date.now() } };
}

/** Waits until the cluster is as the inputs say, and stays so. */
export async function settle(world: ChurnWorld): Promise<Span> {
  const expected = buildExpectedState(world.inputs, world.offers);
  const end = Date.now() + SETTLE_MS;
  let from = Number.NaN;
  let actual = expected;
  while (Date.now() < end) {
    actual = await readState(world, expected);
    if (!isSame(actual, expected)) from = Number.NaN;
    else if (Number.isNaN(from)) from = Date.now();
    else if (Date.now() - from >= QUIET_MS) return { from, to: Date.now() };
    await sleep(POLL_MS);
  }
  throw new Error(
    ["the cluster does not come to rest as its inputs say:", ...listDifferences(actual, expected)].join("\n"),
  );
}

/** Each value that differs, with its path. */
function listDifferences(actual: ChurnState, expected: ChurnState): readonly string[] {
  const now = flatten(toJson(actual));
  const then = flatten(toJson(expected));
  const paths = [...new Set([...now.keys(), ...then.keys()])].filter((path) => now.get(path) !== then.get(path));
  return paths.map((path) => `  ${path}: ${now.get(path) ?? "-"} instead of ${then.get(path) ?? "-"}`);
}

function isSame(a: object, b: object): boolean {
  return toText(a) === toText(b);
}

function toText(value: object): string {
  return formatCanonicalJson(toJson(value));
}

function toJson(value: object): Json {
  return JSON.parse(JSON.stringify(value));
}
