import { checks } from "../../checks/index.ts";
import type { Check } from "../../model/check.ts";
import { UsageError } from "../../model/errors.ts";
import { defined } from "../../model/optional.ts";
import type { LeftOutCheck } from "../../runner/left-out.ts";
import type { ConfigValues } from "../settings/config-file.ts";
import type { SelectionValues } from "../settings/shared-settings.ts";
import { formatDidYouMean } from "../../model/nearest-name.ts";

/** The checks that run, and those that the user left out. Checks that run only on request leave nothing out. */
export type CheckSelection = { readonly checks: readonly Check[]; readonly leftOut: readonly LeftOutCheck[] };

/** The registered checks that --only and --skip select, and why others were left out for good. */
export function parseChecks({ only, skip, config }: SelectionValues & ConfigValues): CheckSelection {
  const selection = selectChecks(checks, only, skip);
  const leftOut = selection.leftOut.map((one) => ({
    ...one,
    ...defined({ accepted: config?.acceptChecks.findLast(({ check }) => check === one.check.id) }),
  }));
  return { ...selection, leftOut };
}

/** Throws a UsageError for an unknown id. Some checks run only if --only names them. */
export function selectChecks(
  candidates: readonly Check[],
  only: readonly string[],
  skip: readonly string[],
): CheckSelection {
  const ids = candidates.map((check) => check.id);
  const unknownId = [...only, ...skip].find((id) => !ids.includes(id));
  if (unknownId !== undefined)
    throw new UsageError(
      `no check has the id "${unknownId}"${formatDidYouMean(unknownId, ids) || `: the ids are ${ids.join(", ")}`}`,
    );
  const isSelected = ({ id, special }: Check) =>
    only.length === 0 ? special?.onRequest === undefined : only.includes(id);
  const selected = candidates.filter((check) => isSelected(check) && !skip.includes(check.id));
  if (selected.length === 0) throw new UsageError("--only and --skip together leave no check to run");
  const others = candidates.filter((check) => check.special?.onRequest === undefined && !selected.includes(check));
  const leftOut = others.map((check) => ({ check, by: skip.includes(check.id) ? "--skip" : "--only" }));
  return { checks: selected, leftOut };
}
