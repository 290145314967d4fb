import { sortNames, summarizeNames } from "../../model/names.ts";
import type { Budget } from "./budget.ts";
import type { DrainVerdict } from "./verdict.ts";

export type JudgedBudget = { readonly budget: Budget; readonly verdict: DrainVerdict };

const NOT_NOW =
  'no more pods are healthy than the budget requires, so no healthy pod can be evicted now, and a drain waits for each. Update once "kubectl get poddisruptionbudgets -A" shows at least 1 allowed disruption';

/** The budgets that stall a drain for a while, or only seem to. */
export function buildNotices(judgedBudgets: readonly JudgedBudget[]): readonly string[] {
  const waiting = judgedBudgets.filter(({ budget, verdict }) => !budget.manager && verdict === "notNow");
  return [
    ...buildNotice(
      waiting.filter(({ budget }) => !budget.canEvictUnhealthy),
      (names) => `${names}: ${NOT_NOW}, or let unhealthy pods go with spec.unhealthyPodEvictionPolicy AlwaysAllow.`,
    ),
    ...buildNotice(
      waiting.filter(({ budget }) => budget.canEvictUnhealthy),
      (names) => `${names}: ${NOT_NOW}.`,
    ),
    ...buildNotice(
      judgedBudgets.filter(({ verdict }) => verdict === "notComputedYet"),
      (names) =>
        `${names}: the disruption controller failed to compute the budget less than 10 minutes ago, and a drain waits until it succeeds.`,
    ),
    ...buildNotice(
      judgedBudgets.filter(({ verdict }) => verdict === "ofDaemonSet"),
      (names) =>
        `${names}: the disruption controller can't compute the budget, because its pods belong to a DaemonSet. Drains don't evict these.`,
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
            `${names}: no healthy pod can be evicted now. When a node is drained, ${manager.name} ${manager.action}.`,
        ),
  );
}

/** Whether the operator that manages the budget resolves this. */
export function isHandled(verdict: DrainVerdict): boolean {
  return verdict === "never" || verdict === "notNow" || verdict === "stale";
}

function buildNotice(judgedBudgets: readonly JudgedBudget[], text: (names: string) => string): readonly string[] {
  if (judgedBudgets.length === 0) return [];
  const names = judgedBudgets.map(({ budget: { namespace, name } }) => `${namespace}/${name}`);
  return [text(`PodDisruptionBudget ${summarizeNames(sortNames(names))}`)];
}
