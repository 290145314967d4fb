import { toPlainText } from "../plain-text.ts";

/** Commands to copy, as a code block in a list item or at the margin. */
export function formatCommands(commands: readonly string[], indent = ""): string {
  const lines = commands.map(toPlainText);
  const fence = "`".repeat(Math.max(3, ...lines.map((line) => longestRun(line) + 1)));
  return [`${fence}sh`, ...lines, fence].map((line) => `${indent}${line}`).join("\n");
}

/** A fence is longer than any run of backticks in its block. */
function longestRun(line: string): number {
  return Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
}

/** Something to do, to tick off. */
export function formatTask(text: string): string {
  return `- [ ] ${text}`;
}
