import { type Json, type JsonObject, at } from "./json.ts";

/** The limit in a budget's spec: a number of pods, or a percentage of them. */
export type DisruptionLimit = {
  readonly field: "maxUnavailable" | "minAvailable";
  readonly amount: number;
  readonly isPercent: boolean;
};

/** The API server accepts only one of the two, and the disruption controller reads maxUnavailable first. */
export function findDisruptionLimit(budget: JsonObject): DisruptionLimit | undefined {
  for (const field of ["maxUnavailable", "minAvailable"] as const) {
    const value = at(budget, "spec", field);
    if (value !== undefined) return parseLimit(field, value);
  }
  return undefined;
}

function parseLimit(field: DisruptionLimit["field"], value: Json): DisruptionLimit | undefined {
  if (typeof value === "number") return { field, amount: value, isPercent: false };
  const percent = typeof value === "string" ? /^(\d{1,6})%$/.exec(value)?.[1] : undefined;
  return percent === undefined ? undefined : { field, amount: Number(percent), isPercent: true };
}
