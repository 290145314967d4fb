import { BUG_ENTRIES } from "./bug-data.ts";
import type { KnownBug } from "./known-bug.ts";
import { resolveVersions } from "./versions.ts";

/** Every known bug, whatever it affects. */
export const KNOWN_BUGS: readonly KnownBug[] = BUG_ENTRIES.map((entry) => ({
  certainty: "risk",
  ...entry,
  versions: resolveVersions(entry.versions),
}));
