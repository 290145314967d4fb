/** Units of cost that a check may spend in a cycle, about 5 s of CPU; one object may cost PER_CALL_LIMIT. */
const PER_CHECK_LIMIT = 50_000_000;

/** What is left of it. */
export type CostBudget = { readonly left: () => number; readonly spend: (cost: number) => void };

export function createBudget(limit = PER_CHECK_LIMIT): CostBudget {
  let left = limit;
  return { left: () => left, spend: (cost) => void (left -= cost) };
}
