import { summarizeNames } from "../../model/names.ts";
import { compareText } from "../../model/json.ts";
import type { Budget } from "./budget.ts";
import type { DrainVerdict } from "./verdict.ts";

export type JudgedBudget = { readonly budget: Budget; readonly verdict: DrainVerdict };

/** What holds a drain up for a while, or only looks as if it did. */
export function buildNotices(judgedBudgets: readonly JudgedBudget[]): readonly string[] {
  const unmanaged = judgedBudgets.filter(({ budget }) => !budget.manager);
  return [
    ...buildNotice(
      unmanaged.filter(({ verdict }) => verdict === "notNow"),
      (names) =>
        `${names}: some of the pods are not healthy, so no other may be evicted, and a drain waits until they are (spec.unhealthyPodEvictionPolicy AlwaysAllow lets the unhealthy ones go).`,
    ),
    ...buildNotice(
      judgedBudgets.filter(({ verdict }) => verdict === "notComputedYet"),
      (names) => `${names}: the disruption controller has just failed to compute the budget, and a drain waits for it.`,
    ),
    ...buildNotice(
      judgedBudgets.filter(({ verdict }) => verdict === "ofDaemonSet"),
      (names) => `${names}: the budget can't be computed since its pods are a DaemonSet's. Drains leave those alone.`,
    ),
    ...buildManagedNotices(judgedBudgets),
  ];
}

function buildManagedNotices(judgedBudgets: readonly JudgedBudget[]): readonly string[] {
  const managed = judgedBudgets.filter(({ budget, verdict }) => budget.manager && isHandled(verdict));
  return [...Map.groupBy(managed, ({ budget }) => budget.manager)].flatMap(([manager, group]) =>
    manager === undefined
      ? []
      : buildNotice(
          group,
          (names) =>
            `${names}: no pod may be evicted now, which is ${manager.name} at work. When a node is drained it ${manager.does}.`,
        ),
  );
}

/** What the operator that made the budget takes care of. */
export function isHandled(verdict: DrainVerdict): boolean {
  return verdict === "never" || verdict === "notNow" || verdict === "stale";
}

function buildNotice(judgedBudgets: readonly JudgedBudget[], text: (names: string) => string): readonly string[] {
  if (judgedBudgets.length === 0) return [];
  const names = judgedBudgets.map(({ budget: { namespace, name } }) => `${namespace}/${name}`).toSorted(compareText);
  return [text(`PodDisruptionBudget ${summarizeNames(names)}`)];
}
