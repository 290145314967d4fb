import { toLine } from "../../model/visible-text.ts";
import { getLongestRun } from "../text/markdown-text.ts";

/** Commands to copy, as a code block in a list item or at the margin. */
export function formatCommands(commands: readonly string[], indent = ""): string {
  const lines = commands.map(toLine);
  const fence = "`".repeat(Math.max(3, ...lines.map((line) => getLongestRun(line) + 1)));
  return [`${fence}sh`, ...lines, fence].map((line) => `${indent}${line}`).join("\n");
}

/** Something to do, to tick off. */
export function formatTask(text: string): string {
  return `- [ ] ${text}`;
}
