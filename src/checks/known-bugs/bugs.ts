import * as tables from "./bugs/index.ts";
import type { BugEntry, KnownBug } from "./known-bug.ts";

/** As the exports of a module are sorted, by the names of the tables. */
const ENTRIES: readonly BugEntry[] = Object.values(tables).flat();

/** Every known bug, whatever it affects. */
export const KNOWN_BUGS: readonly KnownBug[] = ENTRIES.map((entry) => ({ certainty: "risk", ...entry }));
