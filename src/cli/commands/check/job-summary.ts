import { appendFile } from "node:fs/promises";
import { formatError } from "../../../model/errors.ts";
import type { Io } from "../../io/io.ts";
import { toLine, toVisibleOutput } from "../../../model/visible-text.ts";

/** GitHub Actions refuses a larger summary of a step. */
const MAX_BYTES = 1024 * 1024;

const END = "\n\nThe result is too long for a job summary; `-o json` has all of it.\n";

/** Appends markdown to the summary of a step in GitHub Actions, if it runs in one. A summary that can't be written fails nothing. */
export async function appendJobSummary(markdown: string, io: Io): Promise<void> {
  const file = io.env["GITHUB_STEP_SUMMARY"];
  if (file === undefined || file === "") return;
  try {
    await appendFile(file, limitBytes(toVisibleOutput(markdown)));
  } catch (thrown) {
    io.err(`preflight: the job summary was not written: ${toLine(formatError(thrown))}\n`);
  }
}

/** Whole risks only: a cut within one could leave a code block open. */
export function limitBytes(text: string): string {
  if (Buffer.byteLength(text) <= MAX_BYTES) return text;
  const bytes = Buffer.from(text).subarray(0, MAX_BYTES - Buffer.byteLength(END));
  return `${bytes.subarray(0, bytes.lastIndexOf("\n### ")).toString("utf8").trimEnd()}${END}`;
}
