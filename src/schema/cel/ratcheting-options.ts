import { type CorrelatedObject, correlateField, isUnchanged, correlateItem } from "../structural/correlated-object.ts";

/** Where in an update a rule stands: the value and the stored one it takes the place of, or the nearest above it that have such. */
export type RatchetingOptions = {
  readonly currentCorrelation: CorrelatedObject | undefined;
  readonly nearestParentCorrelation: CorrelatedObject | undefined;
};

export function enterField(options: RatchetingOptions, field: string): RatchetingOptions {
  const { currentCorrelation, nearestParentCorrelation } = options;
  if (currentCorrelation === undefined) return options;
  if (nearestParentCorrelation === undefined && (field === "apiVersion" || field === "kind"))
    return { currentCorrelation: undefined, nearestParentCorrelation: undefined };
  return {
    currentCorrelation: correlateField(currentCorrelation, field),
    nearestParentCorrelation: currentCorrelation,
  };
}

export function enterItem(options: RatchetingOptions, index: number): RatchetingOptions {
  const { currentCorrelation } = options;
  return currentCorrelation === undefined
    ? options
    : { currentCorrelation: correlateItem(currentCorrelation, index), nearestParentCorrelation: currentCorrelation };
}

/** Does a false rule only give a warning, since what it judges didn't change? Errors of evaluation are never forgiven. */
export function shouldRatchetError({ currentCorrelation, nearestParentCorrelation }: RatchetingOptions): boolean {
  const changed = currentCorrelation ?? nearestParentCorrelation;
  return changed !== undefined && isUnchanged(changed);
}
