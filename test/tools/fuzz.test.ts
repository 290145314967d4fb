import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { type FuzzOutcome, runTarget } from "../../verify/fuzz/campaign.ts";
import { openInputs } from "../../verify/fuzz/corpus.ts";
import { type BranchCoverage, openCoverage } from "../../verify/fuzz/coverage.ts";
import { type LoopState, createState, runLoop } from "../../verify/fuzz/loop.ts";
import { withRuns } from "../../verify/fuzz/page.ts";
import type { FuzzTarget } from "../../verify/fuzz/target.ts";
import { createRandom } from "../../verify/schema/random/random.ts";
import { nightly, sampleEach } from "../support/cases/sample.ts";

const TARGETS = join(import.meta.dirname, "../../verify/fuzz/targets");
const PLANTED = join(import.meta.dirname, "../support/fuzz/planted");
const coverage = openCoverage();

async function load(file: string): Promise<FuzzTarget> {
  const module: { readonly target: FuzzTarget } = await import(pathToFileURL(file).href);
  return module.target;
}

/** Runs a target in this process until it has a fault; each is its signature. */
async function fuzz(target: FuzzTarget, executions: number, guide: BranchCoverage = coverage): Promise<LoopState> {
  const state = createState();
  return runLoop({
    target,
    coverage: guide,
    random: createRandom(7),
    limits: { executions, cpuSeconds: Infinity, staleSeconds: Infinity },
    inputs: [],
    state,
    // All of the time has passed once there is a fault.
    readCpu: () => (state.faults.length > 0 ? Infinity : 0),
    onFault: async ({ signature, text }) => {
      state.faults.push(`${signature}\n${text}`);
    },
  });
}

for (const name of sampleEach(readdirSync(TARGETS), 3))
  test(`${name} runs, and finds nothing in a few executions`, { timeout: 120_000 }, async () => {
    const target = await load(join(TARGETS, name));
    const { faults, branches } = await fuzz(target, target.seeds.length + 30);
    assert.deepEqual(faults, []);
    assert.ok(branches > 0);
  });

test("coverage leads to what random bytes would not reach", async () => {
  const target = await load(join(PLANTED, "magic.ts"));
  const blind: BranchCoverage = { ...coverage, hasNew: () => false };
  assert.equal((await fuzz(target, 3_000, blind)).faults.length, 0);
  assert.ok((await fuzz(target, 100_000)).faults.length > 0);
});

type Run = {
  readonly outcome: FuzzOutcome;
  readonly printed: string;
  /** Those that led to a finding, and those that were kept. */
  readonly inputs: readonly string[];
  readonly kept: readonly string[];
};

async function runPlanted(t: TestContext, name: string, hangSeconds = 5): Promise<Run> {
  const corpus = mkdtempSync(join(tmpdir(), "preflight-fuzz-test-"));
  t.after(() => rmSync(corpus, { recursive: true, force: true }));
  let printed = "";
  const outcome = await runTarget(name, join(PLANTED, `${name}.ts`), {
    corpus,
    seed: 3,
    limits: { executions: 2000, cpuSeconds: 30, staleSeconds: 30 },
    hangSeconds,
    memoryMib: 400,
    maxEnds: 1,
    say: (text) => {
      printed += text;
    },
  });
  const [inputs, kept] = ["findings", "corpus"].map((folder) =>
    openInputs(join(corpus, name, folder))
      .read()
      .map((input) => input.toString("latin1")),
  );
  return { outcome, printed, inputs: inputs ?? [], kept: kept ?? [] };
}

test("a crash is found once, minimized, and saved for a replay", { timeout: 120_000 }, async (t) => {
  const { outcome, printed, inputs } = await runPlanted(t, "crash");
  assert.deepEqual(inputs, ["0"]);
  assert.deepEqual(outcome.faults, ["TypeError at test/support/fuzz/planted/crash.ts:8"]);
  assert.match(printed, /TypeError: planted\n {2}replay: .*findings\/[0-9a-f]{16}\n/);
  assert.equal(outcome.endedBy, "executions");
});

test("the same seed gives the same run", { timeout: 120_000, skip: nightly }, async (t) => {
  const one = await runPlanted(t, "magic");
  const two = await runPlanted(t, "magic");
  assert.ok(one.kept.length > 0);
  assert.deepEqual([two.inputs, two.kept], [one.inputs, one.kept]);
  assert.equal(two.outcome.branches, one.outcome.branches);
});

test("an execution that never ends is ended, and is a finding", { timeout: 120_000 }, async (t) => {
  const { outcome, inputs } = await runPlanted(t, "hang", 0.4);
  assert.match(outcome.faults.join("\n"), /^hang: [\d.]+ s of CPU$/);
  assert.deepEqual(inputs, [""]);
});

test(
  "an execution that fills the memory is ended, and is a finding",
  { timeout: 120_000, skip: nightly },
  async (t) => {
    const { outcome, inputs } = await runPlanted(t, "memory");
    assert.match(outcome.faults.join("\n"), /^memory: /);
    assert.deepEqual(inputs, [""]);
  },
);

test("an execution that waits for nothing is a finding", { timeout: 120_000 }, async (t) => {
  const { outcome } = await runPlanted(t, "wait");
  assert.deepEqual(outcome.faults, ["hang: it waits for what never comes"]);
});

test("the page has a row for each target", () => {
  const row = {
    ...createState(),
    target: "yaml",
    seed: 1,
    endedBy: "executions",
    date: "2026-11-20",
    executions: 500_000,
  };
  assert.match(withRuns(readFileSync("docs/design/fuzzing.md", "utf8"), [row]), /\| `yaml` \| 500000 \|/);
});
