import type { Check } from "../../../model/check.ts";
import { compareText } from "../../../model/json.ts";
import { getReads } from "../../checks/cluster-role.ts";

/** The annotations whose values the checks read, for any target. */
export function listKeptAnnotations(checks: readonly Check[]): readonly string[] {
  const annotations = checks.flatMap(getReads).flatMap((read) => read.annotations ?? []);
  return [...new Set(annotations)].toSorted(compareText);
}
