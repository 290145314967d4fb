import type { Context } from "../../model/check.ts";

/** What texts call the target: a release by its version, and a folder of CRDs by its name. */
export function formatTargetName({ release, target }: Context): string {
  return release.crdFolder ?? target.text;
}
