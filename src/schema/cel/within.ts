import { type Correlated, fieldOf, isUnchanged, itemOf } from "../correlated.ts";

/** Where in an update a rule stands: the value and the stored one it takes the place of, or the nearest above it that have such. */
export type Within = { readonly current: Correlated | undefined; readonly nearest: Correlated | undefined };

export function withinField(within: Within, field: string): Within {
  const { current, nearest } = within;
  if (current === undefined) return within;
  if (nearest === undefined && (field === "apiVersion" || field === "kind"))
    return { current: undefined, nearest: undefined };
  return { current: fieldOf(current, field), nearest: current };
}

export function withinItem(within: Within, index: number): Within {
  const { current } = within;
  return current === undefined ? within : { current: itemOf(current, index), nearest: current };
}

/** Does a false rule only give a warning, since what it judges didn't change? Errors of evaluation are never forgiven. */
export function forgives({ current, nearest }: Within): boolean {
  const changed = current ?? nearest;
  return changed !== undefined && isUnchanged(changed);
}
