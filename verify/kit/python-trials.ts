import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { flagAt, isObject, type JsonObject, textAt, textsAt } from "../../src/model/json.ts";
import { lacks } from "./go-program.ts";
import { getExpected, KIT_SCHEMA, readKitCases, readKitDocuments } from "./kit-files.ts";
import type { JudgedMutant } from "./matrix.ts";

const PART = "conformance/readers/python";

/** Asks the kit about mutants of the reader in Python, in a process of their own; none where there is no Python. */
export async function judgePythonMutants(seconds: number, seed: number): Promise<readonly JudgedMutant[]> {
  const reason = lacks("python3", "--version");
  if (reason !== false) {
    process.stderr.write(`No mutants of the reader in Python: ${reason}.\n`);
    return [];
  }
  const child = spawn("python3", ["-B", join(import.meta.dirname, "mutate.py")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  child.stdin.end(JSON.stringify({ schema: KIT_SCHEMA, items: listItems(), seconds, seed }));
  const judged: JudgedMutant[] = [];
  for await (const line of createInterface({ input: child.stdout })) judged.push(parseJudged(JSON.parse(line)));
  const [code]: unknown[] = await closed;
  if (code !== 0) throw new Error(`mutate.py has ended with ${String(code)}`);
  return judged;
}

function listItems(): readonly object[] {
  const cases = readKitCases("cases").map(({ file, scenario }) => ({
    name: file,
    case: scenario,
    expected: getExpected(scenario),
  }));
  // The documents of a producer's case are one part of the kit.
  const documents = readKitDocuments().map((one) => ({ ...one, name: one.name.replace(/, step \d+$/, "") }));
  return [...cases, ...documents];
}

function parseJudged(value: unknown): JudgedMutant {
  const judged: JsonObject = isObject(value) ? value : {};
  return {
    label: textAt(judged, "label") ?? "",
    part: PART,
    by: textsAt(judged, "by"),
    isCut: flagAt(judged, "isCut") === true,
  };
}
