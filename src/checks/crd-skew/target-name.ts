import type { Context } from "../../model/check.ts";

/** The target as messages name it: a release by its version, a folder of CRDs by its name. */
export function formatTargetName({ release, target }: Context): string {
  return release.crdFolder ?? target.text;
}
