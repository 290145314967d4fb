import { type CorrelatedObject, correlateField, isUnchanged, correlateItem } from "../structural/correlated-object.ts";

/** The position of a rule in an update: the value and the stored one that it replaces, or the nearest such pair above it. */
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

/** Is a false rule only a warning, because its value did not change? Evaluation errors are never tolerated. */
export function shouldRatchetError({ currentCorrelation, nearestParentCorrelation }: RatchetingOptions): boolean {
  const changed = currentCorrelation ?? nearestParentCorrelation;
  return changed !== undefined && isUnchanged(changed);
}
