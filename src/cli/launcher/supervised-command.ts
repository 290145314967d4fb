import process from "node:process";
import { type Child, type StartChild, startChild } from "../process/child.ts";
import { type Death, askInIsolation } from "../process/isolated-checks.ts";
import { createStopSignal, getStopExitCode } from "../process/stop-signal.ts";
import { CLEAR_LINE } from "../process/terminal-text.ts";
import { joinNames } from "../../model/text.ts";
import { replaceProgram } from "../../model/program-name.ts";
import { findProgram } from "../io/program.ts";
import { toLine } from "../../model/visible-text.ts";
import { formatError } from "../../model/errors.ts";
import type { ChildEnd } from "../process/child-end.ts";
import { createCycleChild } from "../process/cycle-child.ts";

/** Runs the command in a child process, and says in one line why that ended if it could not say so itself. */
export async function runSupervised(): Promise<void> {
  // What can't be said to anybody is no reason to fail.
  process.stderr.on("error", () => {});
  // Nor is it a success to wait for what never comes.
  process.exitCode = 1;
  const stopSignal = createStopSignal();
  const beginWriting = createOnceWriter((text) => void process.stderr.write(text));
  let child: Child | undefined;
  // A child that is stuck does not notice that its parent is gone.
  process.once("exit", () => child?.kill());
  const { code, problem } = await supervise({
    startChild: async (onMessage) => (child = startChild(onMessage, 1, beginWriting())),
    now: () => new Date(),
    onDeath: (death) => {
      if (death.kind === "together") say(describeDeath(death));
    },
    stopSignal,
  });
  if (problem !== undefined) say(problem);
  process.exitCode = code;
}

/** A process that ended may have left a line of progress. */
function say(text: string): void {
  const line = replaceProgram(`preflight: ${toLine(text)}\n`, findProgram(process.argv[1] ?? ""));
  process.stderr.write(`${process.stderr.isTTY ? CLEAR_LINE : ""}${line}`);
}

function describeDeath({ why, checks }: Death): string {
  const alone = checks.length === 1 ? " alone" : ", each alone";
  return `the process that ran the checks ended: ${why}. Checking again: ${joinNames(checks)}${alone}, then the rest`;
}

/** For one process after the other: what an earlier one has said, a later one need not say again. */
function createOnceWriter(write: (text: string) => void): () => (text: string) => void {
  const said = new Set<string>();
  return () => {
    const earlier = new Set(said);
    return (text) => {
      const lines = text.split(/(?<=\n)/).filter((line) => !(line.endsWith("\n") && earlier.has(line)));
      for (const line of lines) said.add(line);
      if (lines.length > 0) write(lines.join(""));
    };
  };
}

/** Time for a child to end by itself once it is told to stop. */
const STOP_TIMEOUT_MS = 5_000;

/** How the whole command ended. `problem`: what it could not say itself. */
type SupervisedEnd = { readonly code: number; readonly problem?: string };

type SupervisionInput = {
  readonly startChild: StartChild;
  readonly now: () => Date;
  readonly onDeath: (death: Death) => void;
  readonly stopSignal: AbortSignal;
};

/** Runs the whole command in a child process, and again without the checks that end it. */
export async function supervise({ startChild, now, onDeath, stopSignal }: SupervisionInput): Promise<SupervisedEnd> {
  let running: Child | undefined;
  const stop = (): void => {
    if (running) requestStop(running, stopSignal);
  };
  stopSignal.addEventListener("abort", stop, { once: true });
  const startStoppable: StartChild = async (...options) => {
    running = await startChild(...options);
    if (stopSignal.aborted) stop();
    return running;
  };
  // A command that was told to stop says so itself.
  const child = createCycleChild({ startChild: startStoppable, signal: new AbortController().signal });
  const asked = { observedAt: now(), suspects: [], onDeath, signal: stopSignal };
  const { answer } = await askInIsolation(child, asked);
  await child.finish();
  const stopCode = getStopExitCode(stopSignal);
  const end: ChildEnd = answer.kind === "ended" ? answer.end : { kind: "crashed", why: `it answered ${answer.kind}` };
  // Its code is that of the signal, unless a signal is how it ends.
  if (end.kind === "exited") return { code: end.code };
  return stopCode === undefined
    ? { code: 1, problem: describeCommandEnd(end) }
    : { code: stopCode, problem: formatError(stopSignal.reason) };
}

function requestStop(child: Child, stopSignal: AbortSignal): void {
  child.send({ kind: "stop", why: formatError(stopSignal.reason), exitCode: getStopExitCode(stopSignal) ?? 1 });
  setTimeout(child.kill, STOP_TIMEOUT_MS).unref();
}

function describeCommandEnd(end: Exclude<ChildEnd, { kind: "exited" }>): string {
  switch (end.kind) {
    case "outOfMemory":
      return `out of memory: ${end.heapMib} MiB of heap are not enough. Raise the limit with NODE_OPTIONS=--max-old-space-size=${end.heapMib * 2}, or leave out checks with --skip`;
    case "killed":
      return "the process was killed (SIGKILL), as the kernel does if no memory is left. Run it where more memory is free, or leave out checks with --skip";
    case "crashed":
      return `unexpected end of the process: ${end.why}. Please report it`;
  }
}
