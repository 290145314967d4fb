import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Inputs in a folder, each in a file that its digest names. */
export type InputFolder = {
  readonly read: () => readonly Buffer[];
  /** Returns the path of the file. */
  readonly add: (input: Buffer) => string;
};

export function openInputs(folder: string): InputFolder {
  mkdirSync(folder, { recursive: true });
  return {
    read: () =>
      readdirSync(folder)
        .filter((name) => /^[0-9a-f]{16}$/.test(name))
        .toSorted()
        .map((name) => readFileSync(join(folder, name))),
    add: (input) => {
      const path = join(folder, createHash("sha256").update(input).digest("hex").slice(0, 16));
      writeFileSync(path, input);
      return path;
    },
  };
}
