import type { Check } from "../../model/check.ts";
import { UsageError } from "../../model/errors.ts";

/** The checks that --only and --skip leave; an id that no check has is a wrong use. Some run only where --only names them. */
export function selectChecks(
  checks: readonly Check[],
  only: readonly string[],
  skip: readonly string[],
): readonly Check[] {
  const ids = checks.map((check) => check.id);
  const unknownId = [...only, ...skip].find((id) => !ids.includes(id));
  if (unknownId !== undefined)
    throw new UsageError(`there is no check "${unknownId}": the checks are ${ids.join(", ")}`);
  const isSelected = ({ id, onRequest }: Check) => (only.length === 0 ? onRequest === undefined : only.includes(id));
  const selected = checks.filter((check) => isSelected(check) && !skip.includes(check.id));
  if (selected.length === 0) throw new UsageError("--only and --skip together leave no check to run");
  return selected;
}
