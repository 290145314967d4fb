import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { FEWER_COLLECTIONS } from "../api-server/go.ts";
import { type Json, type JsonObject, isObject } from "../../src/model/json.ts";
import { SHARED } from "../api-server/control-plane.ts";

/**
 * An object and the CRD version to validate it against: as one that is stored, or as one that replaces `old`. `apply` also asks for
 * server-side apply; with `live`, the answer has the object as that CRD stores it.
 */
export type Question = {
  readonly crd: string;
  readonly version: string;
  readonly object: JsonObject;
  readonly old?: JsonObject;
  readonly apply?: true;
  readonly live?: string;
  readonly exact?: true;
};

/** A CRD that is itself validated, as a new one or in place of the one in the file `live`. */
export type DefinitionQuestion = {
  readonly crd: string;
  readonly check: true;
  readonly live?: string;
  readonly exact?: true;
};

/** The object with the metadata that the oracle gives every one, because a rule may compare all of it. */
export function addServerMetadata(object: JsonObject): JsonObject {
  const own = object["metadata"];
  const metadata: JsonObject = {
    name: "test",
    creationTimestamp: "2026-01-01T00:00:00Z",
    ...(isObject(own) ? own : {}),
    resourceVersion: "1",
    uid: "00000000-0000-4000-8000-000000000000",
  };
  return { ...object, metadata };
}

/** Returns the verdicts of an API server, in the order of the questions. */
export type Oracle = (questions: readonly (Question | DefinitionQuestion)[]) => Promise<readonly JsonObject[]>;

// PREFLIGHT_ORACLE=/tmp/oracle-134/crd-oracle PREFLIGHT_MINOR=34: an oracle that was built of the packages of Kubernetes 1.34.
const OWN_ORACLE = process.env["PREFLIGHT_ORACLE"];
/** The minor of Kubernetes whose API server the oracle speaks for. */
export const ORACLE_MINOR = Number(process.env["PREFLIGHT_MINOR"] ?? 36);
/** Test files that run at the same time would each build it. */
const LOCK = join(tmpdir(), "preflight-oracle.lock");

/** Builds the oracle unless it exists, which takes minutes. The reason if there is none. */
export async function findOracle(): Promise<Oracle | string> {
  if (OWN_ORACLE !== undefined) return openOracle(OWN_ORACLE);
  const script = join(SHARED, "oracle/build.sh");
  if (!existsSync(script)) return "there is no ../shared/oracle (set PREFLIGHT_SHARED to its parent folder)";
  try {
    const { stdout } = await promisify(execFile)("flock", [LOCK, script], {
      timeout: 15 * 60_000,
      env: { ...FEWER_COLLECTIONS, ...process.env },
    });
    return openOracle(stdout.trim());
  } catch {
    return "the oracle can't be built here (it needs Go)";
  }
}

/** The oracle at a path. */
export function openOracle(path: string): Oracle {
  return (questions) => askOracle(path, questions);
}

/** Starts a process for each call, since the oracle buffers its answers until its input ends. */
async function askOracle(
  path: string,
  questions: readonly (Question | DefinitionQuestion)[],
): Promise<readonly JsonObject[]> {
  const child = spawn(path, { env: { ...FEWER_COLLECTIONS, ...process.env }, stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "close");
  Readable.from(formatQuestions(questions)).pipe(child.stdin);
  const answers: JsonObject[] = [];
  for await (const line of createInterface({ input: child.stdout })) answers.push(parseAnswer(line));
  await ended;
  return answers;
}

function* formatQuestions(questions: readonly (Question | DefinitionQuestion)[]): Generator<string> {
  for (const question of questions) yield `${JSON.stringify({ id: "", exact: "object" in question, ...question })}\n`;
}

function parseAnswer(line: string): JsonObject {
  const answer: Json = JSON.parse(line);
  if (!isObject(answer)) throw new Error(`the oracle said ${line}`);
  return answer;
}
