import { join } from "node:path";
import { isBaseFile } from "../../cases/base-file.ts";
import { readEntries } from "../../files/named-folder.ts";
import { compareText } from "../../model/json.ts";
import type { Candidate } from "./complete.ts";

/** The cases beside the checks of those words that are folders with some. */
export async function listCaseNames(words: readonly string[]): Promise<readonly Candidate[]> {
  const folders = words.filter((word) => word !== "" && !word.startsWith("-"));
  const entries = await Promise.all(folders.map((folder) => readEntries(join(folder, "cases")).catch(() => [])));
  const names = entries.flat().map(({ name }) => name);
  return names
    .filter((name) => !name.startsWith(".") && !isBaseFile(name))
    .map((name) => name.replace(/\.yaml$/, ""))
    .toSorted(compareText)
    .map((word) => ({ word }));
}
