import type { Unknown } from "../../model/check.ts";
import { compareText } from "../../model/json.ts";
import { sortNames } from "../../model/names.ts";
import type { Report } from "../../model/report.ts";
import { UNSEEN_RISKS, type Unseen } from "../../model/unseen.ts";
import { buildUnknownKey } from "../document/document-checks.ts";

/** Something that was not seen, and the checks that it leaves incomplete; none if it concerns the whole result. */
export type UnknownCause = { readonly unknown: Unknown; readonly checks: readonly string[] };

/** What was not seen: each cause once. */
export function collectUnknownCauses({ unseen }: Pick<Report, "unseen">): readonly UnknownCause[] {
  const causes = new Map<string, { readonly unknown: Unknown; readonly checks: string[] }>();
  for (const { check, unknown } of sortUnseen(unseen)) {
    const key = buildUnknownKey(unknown);
    const cause = causes.get(key) ?? { unknown, checks: [] };
    if (check !== undefined) cause.checks.push(check);
    causes.set(key, cause);
  }
  return [...causes.values()];
}

/** The checks that could not be completed, without those that were left out. */
export function listIncompleteChecks({ unseen }: Pick<Report, "unseen">): readonly string[] {
  return sortNames(unseen.flatMap(({ check, risk }) => (risk === UNSEEN_RISKS.leftOut ? [] : (check ?? []))));
}

/** The names under which it can be accepted that this was not seen. */
export function listAcceptNames(unseen: readonly Unseen[]): readonly string[] {
  return sortNames(unseen.flatMap(({ risk, accepted }) => (accepted === undefined ? risk : [])));
}

/** By check; what concerns the whole result comes last. */
export function sortUnseen(unseen: readonly Unseen[]): readonly Unseen[] {
  return unseen
    .map((one) => [`${one.check ?? "~"}\u0000${buildUnknownKey(one.unknown)}`, one] as const)
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([, one]) => one);
}
