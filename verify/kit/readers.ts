import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { isObject, type Json, type JsonObject, listAt } from "../../src/model/json.ts";
import { buildGoProgram, lacks } from "./go-program.ts";
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

/** The readers beside ours, each where its language is. */
export const KIT_READERS: readonly KitReader[] = [
  {
    name: "python",
    skip: lacks("python3", "--version"),
    run: (cases, documents) => runKit("python3", ["-B", join(READERS, "python", "kit.py")], cases, documents),
  },
  {
    name: "go",
    skip: lacks("go", "version"),
    run: (cases, documents) => runKit(buildGoProgram("kit"), [], cases, documents),
  },
];

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
