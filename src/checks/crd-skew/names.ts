import type { Context } from "../../model/check.ts";
import { joinNames } from "../../model/names.ts";

const NAMED = 3;

/** "A", "A and B", "A, B, C and 4 more". */
export function listed(names: readonly string[]): string {
  const named = names.length > NAMED ? [...names.slice(0, NAMED), `${names.length - NAMED} more`] : names;
  return joinNames(named);
}

/** What texts call the target: a release by its version, and a folder of CRDs by its name. */
export function targetName({ release, target }: Context): string {
  return release.crdFolder ?? target.text;
}
