import type { JsonObject } from "../../model/json.ts";
import { defined } from "../../model/optional.ts";
import { type Budget, type BudgetState, type DisruptionLimit, parseBudget } from "./budget.ts";
import { findManagerByName } from "./managers.ts";

export function keepBudget(object: JsonObject): string {
  return packBudget(parseBudget(object));
}

/** The fields of a budget in one text: a cluster can have very many budgets, and objects would take several times the memory. */
function packBudget({ namespace, name, selector, manager, state }: Budget): string {
  const lines = [namespace, name, manager?.name ?? "", state === undefined ? "" : packState(state)];
  const requirements = selector === undefined ? [NO_SELECTOR] : selector;
  return [...lines, JSON.stringify(state?.failure ?? ""), ...requirements].join("\n");
}

const NO_SELECTOR = "!";

export function unpackBudgets(packed: readonly string[]): readonly Budget[] {
  return packed.map(unpackBudget);
}

function unpackBudget(text: string): Budget {
  const [namespace = "", name = "", manager = "", state = "", failure = "", ...requirements] = text.split("\n");
  return {
    namespace,
    name,
    selector: requirements[0] === NO_SELECTOR ? undefined : requirements,
    ...defined({ manager: findManagerByName(manager), state: unpackState(state, failure) }),
  };
}

/** The budgets of one namespace after the other: only these are objects at a time. */
export function* eachNamespace(packed: readonly string[]): Generator<NamespaceBudgets> {
  for (let start = 0; start < packed.length;) {
    const namespace = unpackNamespace(packed[start] ?? "");
    let end = start + 1;
    while (end < packed.length && unpackNamespace(packed[end] ?? "") === namespace) end += 1;
    yield { namespace, start, end, budgets: unpackBudgets(packed.slice(start, end)) };
    start = end;
  }
}

export type NamespaceBudgets = {
  readonly namespace: string;
  readonly budgets: readonly Budget[];
  /** The range of the budgets in the list. */
  readonly start: number;
  readonly end: number;
};

function unpackNamespace(text: string): string {
  return text.slice(0, text.indexOf("\n"));
}

function packState({ limit, numbers, currentHealthy, isStale, alwaysAllows, refusedSince }: BudgetState): string {
  const limitText = limit === undefined ? "" : `${limit.field} ${limit.amount}${limit.isPercent ? "%" : ""}`;
  const { expectedPods = "", desiredHealthy = "" } = numbers ?? {};
  const flags = `${isStale ? "s" : ""}${alwaysAllows ? "a" : ""}`;
  return [limitText, expectedPods, currentHealthy, desiredHealthy, flags, refusedSince?.toString(36) ?? ""].join(",");
}

function unpackState(text: string, failure: string): BudgetState | undefined {
  if (text === "") return undefined;
  const [limit = "", expected = "", healthy = "", desired = "", flags = "", since = ""] = text.split(",");
  const message: unknown = JSON.parse(failure);
  return {
    currentHealthy: Number(healthy),
    isStale: flags.includes("s"),
    alwaysAllows: flags.includes("a"),
    ...defined({
      limit: unpackLimit(limit),
      numbers: expected === "" ? undefined : { expectedPods: Number(expected), desiredHealthy: Number(desired) },
      refusedSince: since === "" ? undefined : Number.parseInt(since, 36),
      failure: typeof message === "string" && message !== "" ? message : undefined,
    }),
  };
}

function unpackLimit(text: string): DisruptionLimit | undefined {
  const [, field, amount, percent] = /^(maxUnavailable|minAvailable) (\d+)(%?)$/.exec(text) ?? [];
  if (field !== "maxUnavailable" && field !== "minAvailable") return undefined;
  return { field, amount: Number(amount), isPercent: percent === "%" };
}
