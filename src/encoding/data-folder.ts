import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The texts of the files beside the source code that fit a glob, sorted by their path. */
export function readFolderFiles(
  folder: URL,
  pattern: string,
): readonly { readonly name: string; readonly text: string }[] {
  return globSync(pattern, { cwd: fileURLToPath(folder) })
    .toSorted()
    .map((name) => ({ name, text: readFileSync(new URL(name, folder), "utf8") }));
}
