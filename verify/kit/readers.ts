import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isObject, type Json, type JsonObject, listAt } from "../../src/model/json.ts";
import { KIT_FOLDER, KIT_SCHEMA } from "./kit-files.ts";

/** What another reader made of cases and documents. */
export type KitRun = {
  /** The outcomes of each case's steps. */
  readonly cases: readonly Json[];
  /** The problems of each document. */
  readonly documents: readonly Json[];
};

export type KitReader = {
  readonly name: string;
  /** Why it can't run here, or false. */
  readonly skip: string | false;
  readonly run: (cases: readonly JsonObject[], documents: readonly string[]) => KitRun;
};

const READERS = join(KIT_FOLDER, "readers");

function lacks(program: string, ...args: readonly string[]): string | false {
  return spawnSync(program, args).status === 0 ? false : `there is no ${program} to run the reader with`;
}

/** The readers beside ours, each where its language is. */
export const KIT_READERS: readonly KitReader[] = [
  {
    name: "python",
    skip: lacks("python3", "--version"),
    run: (cases, documents) => runKit("python3", ["-B", join(READERS, "python", "kit.py")], cases, documents),
  },
  { name: "go", skip: lacks("go", "version"), run: runGo },
];

let program: string | undefined;

/** Built once for each process. It has no dependencies, so nothing is fetched. */
function runGo(cases: readonly JsonObject[], documents: readonly string[]): KitRun {
  program ??= buildGo();
  return runKit(program, [], cases, documents);
}

function buildGo(): string {
  const folder = mkdtempSync(join(tmpdir(), "preflight-kit-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "kit");
  const built = spawnSync("go", ["build", "-o", file, "./cmd/kit"], { cwd: join(READERS, "go"), encoding: "utf8" });
  if (built.status !== 0) throw new Error(built.stderr);
  return file;
}

function runKit(
  command: string,
  args: readonly string[],
  cases: readonly JsonObject[],
  documents: readonly string[],
): KitRun {
  const input = JSON.stringify({ schema: KIT_SCHEMA, cases, documents });
  const ran = spawnSync(command, args, { input, encoding: "utf8", maxBuffer: 256 * 1024 * 1024 });
  if (ran.status !== 0) throw new Error(ran.stderr);
  const made: unknown = JSON.parse(ran.stdout);
  const result = isObject(made) ? made : {};
  return { cases: listAt(result, "cases"), documents: listAt(result, "documents") };
}
