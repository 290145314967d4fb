import { compareText, type JsonObject, objectsAt, textAt } from "../../model/json.ts";
import { takeCharacters } from "../../model/text.ts";

/** What an insight says of its object, before it is known since when. */
export type InsightVerdict = {
  readonly type: "Updating" | "Healthy" | "Available" | "Degraded";
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
};

/** A metav1.Condition of an insight. */
export type InsightCondition = InsightVerdict & { readonly lastTransitionTime: string };

/** Beside many other insights in one ConfigMap. */
const MAX_CONDITION_MESSAGE = 600;

export function buildVerdict(
  type: InsightVerdict["type"],
  status: InsightVerdict["status"],
  [reason, message]: readonly [string, string],
): InsightVerdict {
  return { type, status, reason, message: takeCharacters(message, MAX_CONDITION_MESSAGE) };
}

/** A status that is as before has been so since before. */
export function toConditions(
  verdicts: readonly InsightVerdict[],
  previous: JsonObject | undefined,
  now: string,
): readonly InsightCondition[] {
  const earlier = objectsAt(previous, "conditions");
  return verdicts.map((verdict) => {
    const same = earlier.find(
      (one) => textAt(one, "type") === verdict.type && textAt(one, "status") === verdict.status,
    );
    return { ...verdict, lastTransitionTime: textAt(same, "lastTransitionTime") ?? now };
  });
}

export function isVerdict(
  verdicts: readonly InsightVerdict[],
  type: InsightVerdict["type"],
  status: InsightVerdict["status"],
): boolean {
  return verdicts.some((one) => one.type === type && one.status === status);
}

export function getUpdatingReason(verdicts: readonly InsightVerdict[]): string {
  return verdicts.find(({ type }) => type === "Updating")?.reason ?? "";
}

export function compareNames(a: { readonly name: string }, b: { readonly name: string }): number {
  return compareText(a.name, b.name);
}

/** An object of the cluster, as insights name it. */
export type InsightResource = { readonly group?: string; readonly resource: string; readonly name: string };

/** `over`: the last update of the control plane is complete. `isSameVersion`: it leads to other images of the same version. */
export type UpdateProgress = {
  readonly target: string;
  readonly state: "running" | "over" | "unknown";
  readonly isSameVersion: boolean;
};
