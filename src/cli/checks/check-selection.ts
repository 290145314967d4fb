import type { Check } from "../../model/check.ts";
import { UsageError } from "../../model/errors.ts";
import type { FindChecks, FoundChecks } from "../../runner/updates/prepare-update.ts";
import type { ConfigValues } from "../settings/config-file.ts";
import type { SelectionValues } from "../settings/checks-settings.ts";
import type { CheckSetValues, FinderValues } from "./check-set.ts";
import { formatDidYouMean } from "../../model/nearest-name.ts";

/** What --checks, --checks-from, --only and --skip say. */
export type ChosenValues = Pick<SelectionValues, "only" | "skip"> & CheckSetValues & FinderValues;

/** The checks that run, those that the user left out, and how more are found. Checks that run only on request leave nothing out. */
export type CheckSelection = FoundChecks & { readonly findChecks?: FindChecks };

/** The checks that --only and --skip select, and why others were left out for good. */
export function parseChecks(values: ChosenValues, mayBeAbsent: (id: string) => boolean = isFoundLater): CheckSelection {
  const { only, skip, config, checkSet, "checks-from": from = ["payload"] } = values;
  const accept = (selection: FoundChecks): FoundChecks => acceptLeftOut(selection, config);
  const findChecks: FindChecks = async (update) => {
    const found = await checkSet.finder.find(update);
    const isUnwanted = ({ origin }: Check): boolean => origin?.kind === "payload" && !from.includes("payload");
    const wanted = found.filter((check) => !isUnwanted(check));
    const { checks, leftOut } = divideChecks(wanted, only, skip);
    const unwanted = found.filter(isUnwanted).map((check) => ({ check, by: "--checks-from" }));
    return {
      ...accept({ checks, leftOut: [...leftOut, ...unwanted] }),
      includesOperators: checkSet.finder.includesOperators,
    };
  };
  return { ...accept(selectChecks(checkSet.checks, only, skip, mayBeAbsent)), findChecks };
}

/** Checks of a target or a cluster are known once it is read. */
export function isFoundLater(id: string): boolean {
  return /^(?:payload|olm)-/.test(id);
}

function acceptLeftOut({ checks, leftOut }: FoundChecks, config: ConfigValues["config"]): FoundChecks {
  const accepted = leftOut.map((one) => ({
    ...one,
    accepted: config?.acceptChecks.findLast(({ check }) => check === one.check.id),
  }));
  return { checks, leftOut: accepted };
}

/** Throws a UsageError for an unknown id, unless it may be absent. Some checks run only if --only names them. */
export function selectChecks(
  candidates: readonly Check[],
  only: readonly string[],
  skip: readonly string[],
  mayBeAbsent: (id: string) => boolean = () => false,
): FoundChecks {
  const ids = candidates.map((check) => check.id);
  const unknownId = [...only, ...skip].find((id) => !ids.includes(id) && !mayBeAbsent(id));
  if (unknownId !== undefined)
    throw new UsageError(
      `no check has the id "${unknownId}"${formatDidYouMean(unknownId, ids) || `: the ids are ${ids.join(", ")}`}`,
    );
  const selection = divideChecks(candidates, only, skip);
  if (selection.checks.length === 0 && !only.some(mayBeAbsent))
    throw new UsageError("--only and --skip together leave no check to run");
  return selection;
}

function divideChecks(candidates: readonly Check[], only: readonly string[], skip: readonly string[]): FoundChecks {
  const isSelected = ({ id, special }: Check) =>
    only.length === 0 ? special?.onRequest === undefined : only.includes(id);
  const selected = candidates.filter((check) => isSelected(check) && !skip.includes(check.id));
  const others = candidates.filter((check) => check.special?.onRequest === undefined && !selected.includes(check));
  const leftOut = others.map((check) => ({ check, by: skip.includes(check.id) ? "--skip" : "--only" }));
  return { checks: selected, leftOut };
}
