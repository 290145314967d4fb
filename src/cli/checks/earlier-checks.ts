import { buildUnknownCheck } from "../../data-checks/load.ts";
import type { ComparedResult } from "../../format/comparison/compared-result.ts";
import type { ResultCheck } from "../../format/result/result.ts";
import { getResultTime } from "../../model/document.ts";
import type { Check } from "../../model/check.ts";
import { formatMinute } from "../../model/time.ts";
import type { LeftOutCheck } from "../../runner/updates/update.ts";

/** The checks of an earlier result, which decide on what runs again. */
export type EarlierChecks = {
  /** Those that run again, and those that don't. */
  readonly select: (candidates: readonly Check[], skip: readonly string[]) => Selected;
  /** Those that were open, and that nobody has any more: what they found is not known to be mended. */
  readonly listGone: (known: readonly Check[]) => readonly LeftOutCheck[];
};

/** `recheck`: the file of the earlier result. */
export type RecheckValues = { readonly earlier?: EarlierChecks; readonly recheck?: string | undefined };

type Selected = { readonly checks: readonly Check[]; readonly leftOut: readonly LeftOutCheck[] };

export const RECHECK = "--recheck";

/** `isAll`: whether what was clear or left out then runs too. */
export function createEarlierChecks(result: ComparedResult, isAll: boolean): EarlierChecks {
  return {
    select: (candidates, skip) => selectAgain(candidates, skip, { result, isAll }),
    listGone: (known) => listGone(known, result),
  };
}

type Earlier = { readonly result: ComparedResult; readonly isAll: boolean };

function selectAgain(candidates: readonly Check[], skip: readonly string[], earlier: Earlier): Selected {
  const offered = candidates.filter(
    ({ id, special }) => special?.onRequest === undefined || isOpen(earlier.result, id),
  );
  const decided = offered.map((check) => {
    if (skip.includes(check.id)) return { check, by: "--skip" };
    const reason = earlier.isAll ? undefined : findReason(check.id, earlier.result);
    return reason === undefined ? { check } : { check, by: RECHECK, ...reason };
  });
  const isRepeating = offered.some(({ id, special }) => special?.judgedLast === true && isOpen(earlier.result, id));
  const isNeeded = (one: (typeof decided)[number]): boolean =>
    !("by" in one) || (isRepeating && one.by === RECHECK && coversOthers(one.check));
  return {
    checks: decided.filter(isNeeded).map(({ check }) => check),
    leftOut: decided.flatMap((one) => ("by" in one && !isNeeded(one) ? [one] : [])),
  };
}

/** Without these, a check that is judged last would report what they look after. */
function coversOthers({ special, risks }: Check): boolean {
  return special?.covers !== undefined || risks.some(({ knownAs }) => knownAs !== undefined);
}

/** Why a check does not run again; undefined if it does. */
function findReason(
  id: string,
  { checks, ...result }: ComparedResult,
): Pick<LeftOutCheck, "why" | "clearAt"> | undefined {
  const check = checks.get(id);
  if (check === undefined) return undefined;
  const clearAt = check.outcome === "clear" ? getResultTime(result) : check.clearAt;
  if (clearAt !== undefined) return { why: `was clear on ${formatMinute(clearAt)} and was not run again`, clearAt };
  return check.isLeftOut ? { why: "was left out before, too" } : undefined;
}

/** Whether a check had something to say that can be mended. */
function isOpenCheck({ outcome, isLeftOut }: ResultCheck): boolean {
  return outcome === "risk" || (outcome === "unknown" && !isLeftOut);
}

function isOpen({ checks }: ComparedResult, id: string): boolean {
  const check = checks.get(id);
  return check !== undefined && isOpenCheck(check);
}

function listGone(known: readonly Check[], { checks, label }: ComparedResult): readonly LeftOutCheck[] {
  const ids = new Set(known.map(({ id }) => id));
  const gone = [...checks.values()].filter((check) => isOpenCheck(check) && !ids.has(check.id));
  return gone.map(({ id }) => ({
    check: buildUnknownCheck(id, `The check ${id} of ${label} is run`, []),
    by: RECHECK,
    why: "is not among those of this run",
  }));
}
