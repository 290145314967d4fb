import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { type Json, type JsonObject, isObject } from "../../../../src/model/json.ts";

/** An object and the CRD version to validate it against. */
export type Question = {
  readonly crd: string;
  readonly version: string;
  readonly object: JsonObject;
  readonly exact?: true;
};

/** A CRD that is itself validated. */
export type DefinitionQuestion = { readonly crd: string; readonly check: true; readonly exact?: true };

/** Returns the verdicts of an API server, in the order of the questions. */
export type Oracle = (questions: readonly (Question | DefinitionQuestion)[]) => Promise<readonly JsonObject[]>;

/** Test files that run at the same time would each build it. */
const LOCK = join(tmpdir(), "preflight-oracle.lock");

/** Builds the oracle unless it exists, which takes minutes. Undefined if it can't be built. */
export async function buildOracle(script: string): Promise<Oracle | undefined> {
  try {
    const { stdout } = await promisify(execFile)("flock", [LOCK, script], { timeout: 15 * 60_000 });
    return (questions) => askOracle(stdout.trim(), questions);
  } catch {
    return undefined;
  }
}

/** Starts a process for each call, since the oracle buffers its answers until its input ends. */
async function askOracle(
  path: string,
  questions: readonly (Question | DefinitionQuestion)[],
): Promise<readonly JsonObject[]> {
  const child = spawn(path, { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "close");
  Readable.from(formatQuestions(questions)).pipe(child.stdin);
  const answers: JsonObject[] = [];
  for await (const line of createInterface({ input: child.stdout })) answers.push(parseAnswer(line));
  await ended;
  return answers;
}

function* formatQuestions(questions: readonly (Question | DefinitionQuestion)[]): Generator<string> {
  for (const question of questions) yield `${JSON.stringify({ id: "", ...question })}\n`;
}

function parseAnswer(line: string): JsonObject {
  const answer: Json = JSON.parse(line);
  if (!isObject(answer)) throw new Error(`the oracle said ${line}`);
  return answer;
}
