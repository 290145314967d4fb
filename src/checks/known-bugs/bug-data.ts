import { readFolderFiles } from "../../encoding/data-folder.ts";
import { formatFault } from "../../data-checks/format/fault.ts";
import type { BugList } from "./known-bug.ts";
import { loadBugList } from "./load-list.ts";

/** The list of this build, of the files in bugs/. The bundle has the list in place of this module: see build.mjs. */
export const EMBEDDED_LIST: BugList = await readList();

/** Rejects with every fault and its place. Expressions are compiled by a test, since that takes long. */
async function readList(): Promise<BugList> {
  const texts = readFolderFiles(new URL(".", import.meta.url), "bugs/*.yaml");
  const { list, faults } = await loadBugList(texts, { compiles: false });
  if (list === undefined || faults.length > 0) throw new Error(faults.map(formatFault).join("\n"));
  return list;
}
