/** Runs tests in this process, with and without mutants, as its parent asks: started by worker-process.ts. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type CollectedTest, collect, finish } from "./collector.ts";
import { type Verdict, judgeFailure } from "./failure.ts";
import { registerLoader } from "./loader.ts";
import type { LeftOut, RecordedTest, Recording, Reply, Request, TestName, Trial, WorkerSettings } from "./messages.ts";
import { refuseOutside } from "./refusal.ts";
import { EndlessError, installSwitchboard } from "./switchboard.ts";

const SLOW_MS = 2000;
const { root, folder, on }: WorkerSettings = JSON.parse(process.argv[2] ?? "{}");
const base = pathToFileURL(`${root}/`).href;
const switchboard = installSwitchboard();
const files = new Map<string, Promise<readonly CollectedTest[]>>();
/** An error that nobody awaited belongs to the test that runs. */
const stray: { error: unknown } = { error: undefined };

function say(reply: Reply): void {
  process.send?.(reply);
}

function load(file: string): Promise<readonly CollectedTest[]> {
  const known = files.get(file) ?? collect(() => import(pathToFileURL(join(root, file)).href));
  files.set(file, known);
  return known;
}

/** What the test throws; undefined if it passes. `most`: the places that it may go through. */
async function run(one: CollectedTest, most: number): Promise<unknown> {
  stray.error = undefined;
  switchboard.restart(most);
  const ended = one.run().then(
    () => stray.error,
    (error: unknown) => error ?? "throws nothing",
  );
  const thrown = await Promise.race([ended, waitForNothing()]);
  // The program may have caught what ended it.
  return switchboard.getSteps() > most ? new EndlessError("goes on and on") : thrown;
}

let stopWaiting = (): void => {};

/** Resolves when nothing is left that could go on: a promise that nobody keeps. */
function waitForNothing(): Promise<EndlessError> {
  stopWaiting();
  return new Promise((resolve) => {
    let quiet = 0;
    const timer = setInterval(() => {
      // The pipe to the parent is always there.
      const isWaiting = process.getActiveResourcesInfo().some((name) => name !== "PipeWrap");
      quiet = isWaiting ? 0 : quiet + 1;
      if (quiet >= 3) resolve(new EndlessError("waits for nothing"));
    }, 100);
    timer.unref();
    stopWaiting = () => clearInterval(timer);
  });
}

/** In one line, and without anything of the product, which is under test here. */
function formatError(thrown: unknown): string {
  const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return text.split("\n")[0] ?? "";
}

async function record({ file, without }: Extract<Request, { kind: "record" }>): Promise<Recording> {
  switchboard.takeReached();
  const tests = await load(file).catch((thrown: unknown) => formatError(thrown));
  const loading = switchboard.takeReached();
  if (typeof tests === "string")
    return { kind: "recording", tests: [], leftOut: [{ file, name: "", why: `cannot be loaded: ${tests}` }], loading };
  const recorded: RecordedTest[] = [];
  const leftOut: LeftOut[] = [];
  for (const one of tests.filter(({ name }) => !without.includes(name))) {
    const { name } = one;
    say({ kind: "beat", test: { file, name } });
    const first = await measure(one);
    // What is slow is not run again.
    const why = first.why ?? (first.milliseconds > SLOW_MS ? "takes longer than two seconds" : undefined);
    if (why === undefined) recorded.push({ file, name, steps: 0, milliseconds: 0, cold: first.reached, warm: {} });
    else leftOut.push({ file, name, why });
  }
  const known = new Map(tests.map((one) => [one.name, one]));
  const kept: RecordedTest[] = [];
  for (const test of recorded) {
    const one = known.get(test.name);
    if (one === undefined) continue;
    say({ kind: "beat", test: { file, name: test.name } });
    const { why, steps, milliseconds, reached } = await measure(one);
    if (why === undefined) kept.push({ ...test, steps, milliseconds, warm: reached });
    else leftOut.push({ file, name: test.name, why: `when it is repeated: ${why}` });
  }
  return { kind: "recording", tests: kept, leftOut, loading };
}

async function measure(one: CollectedTest) {
  if (one.skipped) return { why: "is skipped", steps: 0, milliseconds: 0, reached: {} };
  const begun = performance.now();
  const thrown = await run(one, Infinity);
  const steps = switchboard.getSteps();
  const milliseconds = performance.now() - begun;
  const why = thrown === undefined ? undefined : formatError(thrown);
  return { why, steps, milliseconds, reached: switchboard.takeReached() };
}

/** Runs tests until one says something about the mutant. `again`: what kills is run without it, since a kept value of it may remain. */
async function attempt({ mutant, tests, again }: Extract<Request, { kind: "try" }>): Promise<Trial> {
  let other: Trial = { kind: "trial", verdict: "passed" };
  for (const { file, name, most } of tests) {
    say({ kind: "beat", test: { file, name } });
    switchboard.turnOn(mutant.file, mutant.number);
    const { verdict, message } = await judge({ file, name }, most);
    switchboard.turnOff();
    const trial: Trial = { kind: "trial", verdict, by: { file, name }, message };
    if (verdict === "other") other = trial;
    if (verdict === "passed" || verdict === "other") continue;
    if (!again || verdict === "endless" || (await judge({ file, name }, Infinity)).verdict === "passed") return trial;
    return { ...trial, verdict: "unsound" };
  }
  return other;
}

async function judge({ file, name }: TestName, most: number): Promise<{ verdict: Verdict; message: string }> {
  switchboard.restart(Infinity);
  const tests = await load(file).catch((thrown: unknown) => ({ thrown }));
  const one = "thrown" in tests ? undefined : tests.find((test) => test.name === name);
  const thrown = "thrown" in tests ? tests.thrown : one && (await run(one, most));
  if (!("thrown" in tests) && one === undefined) return { verdict: "other", message: "the test is gone" };
  const message = thrown === undefined ? "" : formatError(thrown);
  return { verdict: thrown === undefined ? "passed" : judgeFailure(thrown, base), message };
}

async function answer(request: Request): Promise<void> {
  if (request.kind === "record") say(await record(request));
  if (request.kind === "try") say(await attempt(request));
  if (request.kind !== "finish") return;
  await finish();
  process.disconnect();
}

// Whoever started it is gone, perhaps in the midst of a test.
const exit = process.exit.bind(process);
process.on("disconnect", () => exit(0));
refuseOutside(tmpdir());
registerLoader(root, folder);
if (on !== null) switchboard.turnOn(on.file, on.number);
for (const event of ["uncaughtException", "unhandledRejection"])
  process.on(event, (error: unknown) => {
    stray.error ??= error;
  });
process.on("message", (request: Request) => void answer(request));
