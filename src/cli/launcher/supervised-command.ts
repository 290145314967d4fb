import process from "node:process";
import { type Child, startChild } from "../process/child.ts";
import type { Death } from "../process/isolated-checks.ts";
import { createStopSignal } from "../process/stop-signal.ts";
import { supervise } from "../process/supervise.ts";
import { CLEAR_LINE } from "../process/terminal-text.ts";
import { joinNames } from "../../model/names.ts";
import { replaceProgram } from "../../model/program-name.ts";
import { findProgram } from "../io/program.ts";
import { toLine } from "../../model/visible-text.ts";

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
