import { readDataFolder } from "../../encoding/data-folder.ts";
import { decodeBugs } from "./bug-decoder.ts";
import type { BugEntry } from "./known-bug.ts";

/** The entries of the files in bugs/, by the names of these. The bundle has the entries in place of this module: see build.mjs. */
export const BUG_ENTRIES: readonly BugEntry[] = readDataFolder(new URL("bugs/", import.meta.url)).flatMap(
  ({ name, value }) => decodeBugs(value, name),
);
