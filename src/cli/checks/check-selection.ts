import type { Check } from "../../model/check.ts";
import { UsageError } from "../../model/errors.ts";
import { defined } from "../../model/optional.ts";
import type { LeftOutCheck } from "../../runner/left-out.ts";
import type { ConfigValues } from "../settings/config-file.ts";
import type { SelectionValues } from "../settings/shared-settings.ts";
import type { CheckSetValues } from "./check-set.ts";
import { formatDidYouMean } from "../../model/nearest-name.ts";

/** What --checks, --only and --skip say. */
export type ChosenValues = Pick<SelectionValues, "only" | "skip"> & CheckSetValues & ConfigValues;

/** The checks that run, and those that the user left out. Checks that run only on request leave nothing out. */
export type CheckSelection = { readonly checks: readonly Check[]; readonly leftOut: readonly LeftOutCheck[] };

/** The checks that --only and --skip select, and why others were left out for good. */
export function parseChecks(
  { only, skip, config, checkSet }: ChosenValues,
  mayBeAbsent?: (id: string) => boolean,
): CheckSelection {
  const selection = selectChecks(checkSet.checks, only, skip, mayBeAbsent);
  const leftOut = selection.leftOut.map((one) => ({
    ...one,
    ...defined({ accepted: config?.acceptChecks.findLast(({ check }) => check === one.check.id) }),
  }));
  return { ...selection, leftOut };
}

/** Throws a UsageError for an unknown id, unless it may be absent. Some checks run only if --only names them. */
export function selectChecks(
  candidates: readonly Check[],
  only: readonly string[],
  skip: readonly string[],
  mayBeAbsent: (id: string) => boolean = () => false,
): CheckSelection {
  const ids = candidates.map((check) => check.id);
  const unknownId = [...only, ...skip].find((id) => !ids.includes(id) && !mayBeAbsent(id));
  if (unknownId !== undefined)
    throw new UsageError(
      `no check has the id "${unknownId}"${formatDidYouMean(unknownId, ids) || `: the ids are ${ids.join(", ")}`}`,
    );
  const isSelected = ({ id, special }: Check) =>
    only.length === 0 ? special?.onRequest === undefined : only.includes(id);
  const selected = candidates.filter((check) => isSelected(check) && !skip.includes(check.id));
  if (selected.length === 0 && !only.some(mayBeAbsent))
    throw new UsageError("--only and --skip together leave no check to run");
  const others = candidates.filter((check) => check.special?.onRequest === undefined && !selected.includes(check));
  const leftOut = others.map((check) => ({ check, by: skip.includes(check.id) ? "--skip" : "--only" }));
  return { checks: selected, leftOut };
}
