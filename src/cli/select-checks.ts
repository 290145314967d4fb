import type { Check } from "../model/check.ts";
import { UsageError } from "../model/errors.ts";

/** The checks that --only and --skip leave; an id that no check has is a wrong use. Some run only where --only names them. */
export function selectChecks(
  checks: readonly Check[],
  only: readonly string[],
  skip: readonly string[],
): readonly Check[] {
  const known = checks.map((check) => check.id);
  const stranger = [...only, ...skip].find((id) => !known.includes(id));
  if (stranger !== undefined)
    throw new UsageError(`there is no check "${stranger}": the checks are ${known.join(", ")}`);
  const isAsked = ({ id, onRequest }: Check) => (only.length === 0 ? onRequest === undefined : only.includes(id));
  const left = checks.filter((check) => isAsked(check) && !skip.includes(check.id));
  if (left.length === 0) throw new UsageError("--only and --skip together leave no check to run");
  return left;
}
