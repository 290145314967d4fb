import type { Context } from "../../model/check.ts";
import { leavesMinor, getMinorOrdinal } from "../../model/version.ts";

/** From this release on the cluster-version operator lets updates within a minor pass with a warning (OTA-1860). */
const PATCHES_PASS_FROM = { major: 4, minor: 22 } as const;

/** Does the running cluster-version operator refuse the update while something is unmanaged? */
export function isRefused(context: Context): boolean {
  return leavesMinor(context) || getMinorOrdinal(context.source) < getMinorOrdinal(PATCHES_PASS_FROM);
}
