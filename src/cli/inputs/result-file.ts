import process from "node:process";
import { type ComparedResult, parseComparedResult } from "../../format/comparison/compared-result.ts";
import { readTextFile } from "../../cluster/access/text-file.ts";
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
    return await (path === "-" ? readStdin() : readTextFile(path, MAX_BYTES));
  } catch (thrown) {
    throw new FailedError(`reading ${label}: ${formatError(thrown)}`);
  }
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MAX_BYTES) throw new Error(`it has more than ${MAX_BYTES >> 20} MiB`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}
