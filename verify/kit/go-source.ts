import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { isObject, type JsonObject, objectAt, objectsAt, textAt, textsAt } from "../../src/model/json.ts";
import type { SourceRisks } from "../operator/operator-model.ts";
import { buildGoProgram } from "./go-program.ts";
import { SCHEMA_FILE } from "./kit-files.ts";

/** The preflight that an operator says is requested. */
export type SourceRequest = {
  readonly source: string;
  readonly target: string;
  readonly image: string;
  readonly requestedAt: string;
};

export type SourceAnswer = SourceRisks & {
  /** Why the present document does not count. */
  readonly failure: string | undefined;
};

/** The Go reader's source of risks, in a process of its own. */
export type GoSource = {
  readonly ask: (request: SourceRequest | undefined, versions: readonly string[]) => Promise<SourceAnswer>;
  readonly stop: () => Promise<void>;
};

export function startGoSource(document: string): GoSource {
  const child = spawn(buildGoProgram("source"), [document, SCHEMA_FILE], { stdio: ["pipe", "pipe", "inherit"] });
  const closed = once(child, "close");
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (request: SourceRequest | undefined, versions: readonly string[]): Promise<SourceAnswer> => {
    child.stdin.write(`${JSON.stringify({ request, versions })}\n`);
    const line = await answers.next();
    if (line.done) throw new Error("the source has ended");
    return parseAnswer(JSON.parse(line.value));
  };
  const stop = async (): Promise<void> => {
    child.stdin.end();
    await closed;
  };
  return { ask, stop };
}

function parseAnswer(value: unknown): SourceAnswer {
  const answer: JsonObject = isObject(value) ? value : {};
  const versions = objectAt(answer, "versions");
  return {
    risks: objectsAt(answer, "risks"),
    versions: Object.fromEntries(Object.keys(versions).map((name) => [name, textsAt(versions, name)])),
    failure: textAt(answer, "failure"),
  };
}
