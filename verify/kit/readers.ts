import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { isObject, type JsonObject, objectAt } from "../../src/model/json.ts";
import { buildGoProgram, lacks } from "./go-program.ts";
import { KIT_FOLDER, KIT_SCHEMA } from "./kit-files.ts";

/** What a reader is given; without a part that `index` names, it refuses to run. */
export type KitInput = {
  readonly index: KitIndex;
  readonly cases: Readonly<Record<string, JsonObject>>;
  readonly documents: Readonly<Record<string, string>>;
};

export type KitIndex = { readonly cases: readonly string[]; readonly documents: readonly string[] };

/** What another reader made of them: the outcomes of each case's steps, and the problems of each document, by name. */
export type KitRun = { readonly cases: JsonObject; readonly documents: JsonObject };

export type KitReader = {
  readonly name: string;
  /** Why it can't run here, or false. */
  readonly skip: string | false;
  readonly run: (input: KitInput) => KitRun;
};

const READERS = join(KIT_FOLDER, "readers");

/** The readers beside ours, each where its language is. */
export const KIT_READERS: readonly KitReader[] = [
  {
    name: "python",
    skip: lacks("python3", "--version"),
    run: (input) => runKit("python3", ["-B", join(READERS, "python", "kit.py")], input),
  },
  {
    name: "go",
    skip: lacks("go", "version"),
    run: (input) => runKit(buildGoProgram("kit"), [], input),
  },
];

function runKit(command: string, args: readonly string[], kit: KitInput): KitRun {
  const input = JSON.stringify({ schema: KIT_SCHEMA, ...kit });
  const ran = spawnSync(command, args, { input, encoding: "utf8", maxBuffer: 256 * 1024 * 1024 });
  if (ran.status !== 0) throw new Error(ran.stderr);
  const made: unknown = JSON.parse(ran.stdout);
  const result = isObject(made) ? made : {};
  return { cases: objectAt(result, "cases"), documents: objectAt(result, "documents") };
}
