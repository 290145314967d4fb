import { type CorrelatedObject, correlateChild, isUnchanged } from "../structural/correlated-object.ts";

/** The position of a rule in an update: the value and the stored one that it replaces, or the nearest such pair above it. */
export type RatchetingOptions = {
  readonly currentCorrelation: CorrelatedObject | undefined;
  readonly nearestParentCorrelation: CorrelatedObject | undefined;
};

export function enterChild(options: RatchetingOptions, step: string | number): RatchetingOptions {
  const { currentCorrelation, nearestParentCorrelation } = options;
  if (currentCorrelation === undefined) return options;
  if (nearestParentCorrelation === undefined && (step === "apiVersion" || step === "kind"))
    return { currentCorrelation: undefined, nearestParentCorrelation: undefined };
  return { currentCorrelation: correlateChild(currentCorrelation, step), nearestParentCorrelation: currentCorrelation };
}

/** Is a false rule only a warning, because its value did not change? Evaluation errors are never tolerated. */
export function shouldRatchetError({ currentCorrelation, nearestParentCorrelation }: RatchetingOptions): boolean {
  const changed = currentCorrelation ?? nearestParentCorrelation;
  return changed !== undefined && isUnchanged(changed);
}
