import type { CheckLimits } from "../../data-checks/run/budget.ts";
import { EMBEDDED_LIST } from "./bug-data.ts";
import type { BugList, KnownBug } from "./known-bug.ts";
import { resolveVersions } from "./versions.ts";

/** `limits`: of the entries that this build does not have. */
export function listBugs({ entries }: Pick<BugList, "entries">, limits?: CheckLimits): readonly KnownBug[] {
  return entries.map((entry) => ({
    certainty: "risk",
    ...entry,
    versions: resolveVersions(entry.versions),
    limits,
  }));
}

/** Every known bug of this build, whatever it affects. */
export const KNOWN_BUGS = listBugs(EMBEDDED_LIST);
