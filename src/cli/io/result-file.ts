import process from "node:process";
import { type ComparedResult, parseComparedResult } from "../../format/comparison/compared-result.ts";
import { collectBytes, readTextFile } from "../../files/named-file.ts";
import { FailedError, formatError } from "../../model/errors.ts";
import { parseObject } from "../../model/json.ts";

/** Far more than the results of the largest clusters. */
const MAX_BYTES = 256 << 20;

/** Reads what `check -o json` printed, or a document; "-" is stdin. Throws a FailedError of one line, which quotes nothing of the file. */
export async function readResultFile(path: string, accept: readonly string[]): Promise<ComparedResult> {
  const label = path === "-" ? "stdin" : path;
  const value = parseObject(await readText(path, label));
  if (value === undefined) throw new FailedError(`${label} is not a result of preflight: it is not a JSON object`);
  const result = parseComparedResult(value, label, accept);
  if (typeof result === "string") throw new FailedError(`${label} is not a result that can be compared: it ${result}`);
  return result;
}

async function readText(path: string, label: string): Promise<string> {
  try {
    if (path === "-") return (await collectBytes(process.stdin, MAX_BYTES)).toString("utf8");
    return await readTextFile(path, MAX_BYTES);
  } catch (thrown) {
    throw new FailedError(`reading ${label}: ${formatError(thrown)}`);
  }
}
