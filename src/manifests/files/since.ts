import { formatCanonicalJson } from "../../model/json.ts";
import type { PlacedFinding } from "../../model/manifest.ts";
import { buildRefKey } from "../../model/resource.ts";

/** Findings that a change brings, and those that were there before it. */
export type FindingsSince = { readonly added: readonly PlacedFinding[]; readonly former: readonly PlacedFinding[] };

/**
 * Splits findings by those of an earlier state: the same risk at the same field of the same object is a former one, wherever it stands by
 * now. As many are former as there were.
 */
export function splitBySince(now: readonly PlacedFinding[], before: readonly PlacedFinding[]): FindingsSince {
  const counts = new Map<string, number>();
  for (const finding of before) {
    const key = buildKey(finding);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const added: PlacedFinding[] = [];
  const former: PlacedFinding[] = [];
  for (const finding of now) {
    const key = buildKey(finding);
    const count = counts.get(key) ?? 0;
    counts.set(key, count - 1);
    (count > 0 ? former : added).push(finding);
  }
  return { added, former };
}

/** The message has what is wrong with a field: another one is another fault. */
function buildKey({ object, path, risk, message }: PlacedFinding): string {
  return formatCanonicalJson([buildRefKey(object), object.apiVersion, [...path], risk, message]);
}
