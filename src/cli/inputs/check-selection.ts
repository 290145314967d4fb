import { checks } from "../../checks/index.ts";
import type { Check } from "../../model/check.ts";
import { UsageError } from "../../model/errors.ts";
import type { SelectionValues } from "../command-line/shared-settings.ts";
import { formatDidYouMean } from "../nearest-name.ts";

/** The registered checks that --only and --skip select. */
export function parseChecks({ only, skip }: SelectionValues): readonly Check[] {
  return selectChecks(checks, only, skip);
}

/** Throws a UsageError for an unknown id. Some checks run only if --only names them. */
export function selectChecks(
  candidates: readonly Check[],
  only: readonly string[],
  skip: readonly string[],
): readonly Check[] {
  const ids = candidates.map((check) => check.id);
  const unknownId = [...only, ...skip].find((id) => !ids.includes(id));
  if (unknownId !== undefined)
    throw new UsageError(
      `no check has the id "${unknownId}"${formatDidYouMean(unknownId, ids) || `: the ids are ${ids.join(", ")}`}`,
    );
  const isSelected = ({ id, onRequest }: Check) => (only.length === 0 ? onRequest === undefined : only.includes(id));
  const selected = candidates.filter((check) => isSelected(check) && !skip.includes(check.id));
  if (selected.length === 0) throw new UsageError("--only and --skip together leave no check to run");
  return selected;
}
