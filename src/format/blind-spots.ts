import type { Unknown } from "../model/check.ts";
import { compareText } from "../model/json.ts";
import type { Report } from "../model/report.ts";
import { sortUnknowns } from "./document-checks.ts";

/** Something that could not be checked, and the checks that it leaves incomplete. */
export type BlindSpot = { readonly unknown: Unknown; readonly checks: readonly string[] };

/** What could not be checked: each cause once. */
export function collectBlindSpots({ checks }: Report): readonly BlindSpot[] {
  const spots = new Map<string, { readonly unknown: Unknown; readonly checks: string[] }>();
  for (const { id, outcome } of checks.toSorted((a, b) => compareText(a.id, b.id))) {
    if (outcome.kind !== "unknown") continue;
    for (const unknown of sortUnknowns(outcome.unknowns)) {
      const key = [unknown.reason, unknown.where, unknown.message].join("\u0000");
      const spot = spots.get(key) ?? { unknown, checks: [] };
      spot.checks.push(id);
      spots.set(key, spot);
    }
  }
  return [...spots.values()];
}
