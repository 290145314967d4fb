import process from "node:process";
import type { ComparedOptions, ComparedResult } from "../../format/comparison/compared-result.ts";
import { buildComparedResult } from "../../format/comparison/compared-result.ts";
import { readResult, summarizeProblems } from "../../format/document/document-parser.ts";
import { collectBytes, readTextFile } from "../../files/named-file.ts";
import { FailedError, formatError } from "../../model/errors.ts";

/** Far more than the results of the largest clusters. */
const MAX_BYTES = 256 << 20;

/** Reads what `check -o json` prints, or a document; "-" is stdin. Throws a FailedError of one line; of a file of another kind, it quotes no more than its format. */
export async function readResultFile(path: string, options: Omit<ComparedOptions, "label">): Promise<ComparedResult> {
  const label = path === "-" ? "stdin" : path;
  const read = await readResult(await readText(path).catch(addRemedy(label)));
  if (read.kind === "invalid")
    throw new FailedError(`${label} is not a result: ${summarizeProblems(read.problems)}; ${NAME_RESULT}`);
  return buildComparedResult(read.value, { ...options, label });
}

/** What helps whoever named another file. */
export const NAME_RESULT = `name a file that "preflight check -o json=FILE" wrote`;

function addRemedy(label: string): (thrown: unknown) => never {
  return (thrown) => {
    throw new FailedError(`reading ${label}: ${formatError(thrown)}; ${NAME_RESULT}`);
  };
}

async function readText(path: string): Promise<string> {
  if (path === "-") return (await collectBytes(process.stdin, MAX_BYTES)).toString("utf8");
  return readTextFile(path, MAX_BYTES);
}
