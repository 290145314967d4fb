import type { Overload } from "../types/signatures.ts";
import type { CallCost, CostedCall, Estimate, Estimates } from "./call-estimate.ts";
import { ONE, add } from "./estimate.ts";
import { LIBRARY_ESTIMATES } from "./library-estimates.ts";
import { LIST_ESTIMATES } from "./list-estimates.ts";
import { OPERATOR_ESTIMATES } from "./operator-estimates.ts";
import { TEXT_ESTIMATES } from "./text-estimates.ts";

/** What the API server's functions cost at most. One that stands in two tables has other signatures in each. */
export const FUNCTION_ESTIMATES: readonly Estimates[] = [
  OPERATOR_ESTIMATES,
  LIST_ESTIMATES,
  TEXT_ESTIMATES,
  LIBRARY_ESTIMATES,
];

export function estimateOverload(call: CostedCall): CallCost {
  const result = findEstimate(call.overload)?.(call) ?? { cost: ONE };
  return result.isTotal ? result : { ...result, cost: add(result.cost, ...call.costs) };
}

function findEstimate({ name, text }: Overload): Estimate | undefined {
  for (const estimates of FUNCTION_ESTIMATES) {
    const known = Object.hasOwn(estimates, name) ? estimates[name] : undefined;
    const estimate = typeof known === "function" ? known : known?.[text];
    if (estimate) return estimate;
  }
  return undefined;
}
