import { compareText } from "../../model/json.ts";
import { MAX_NAMED, summarizeNames } from "../../model/names.ts";
import type { Budget } from "./budget.ts";
import type { SelectedPods } from "./selected-pods.ts";
import { type DrainVerdict, canEvictUnhealthy, isNever } from "./verdict.ts";
import type { Unknown } from "../../model/check.ts";

/** Collects the budgets that stall a drain for a while, or only seem to: the first names of each notice, and the number of all. */
type NoticeCollector = {
  readonly add: (budget: Budget, verdict: DrainVerdict, pods: SelectedPods | undefined) => void;
  readonly notices: () => readonly string[];
};

export function createNoticeCollector(): NoticeCollector {
  const groups = new Map<string, { readonly names: string[]; count: number }>();
  return {
    add(budget, verdict, pods) {
      const text = selectText(budget, verdict, pods);
      if (text === undefined) return;
      const group = groups.get(text) ?? { names: [], count: 0 };
      groups.set(text, group);
      group.count += 1;
      group.names.push(`${budget.namespace}/${budget.name}`);
      group.names.sort(compareText);
      group.names.splice(MAX_NAMED + 1);
    },
    notices: () =>
      [...groups].map(([text, { names, count }]) => `PodDisruptionBudget ${summarizeNames(names, count)}: ${text}`),
  };
}

const NOT_NOW =
  'no healthy pod can be evicted now, because no more pods are healthy than the budget requires. A drain waits until "kubectl get poddisruptionbudgets -A" shows at least 1 allowed disruption.';

const ALWAYS_ALLOW = "Unhealthy pods can go before that with spec.unhealthyPodEvictionPolicy AlwaysAllow.";

function selectText(budget: Budget, verdict: DrainVerdict, pods: SelectedPods | undefined): string | undefined {
  const { manager, state } = budget;
  if (manager && isHandled(verdict))
    return `no healthy pod can be evicted now. When a node is drained, ${manager.name} ${manager.action}.`;
  if (verdict === "notComputedYet")
    return "the disruption controller failed to compute the budget less than 10 minutes ago, and no healthy pod can be evicted until it succeeds.";
  if (verdict === "ofDaemonSet")
    return "the disruption controller can't compute the budget. All of its pods belong to DaemonSets or are static pods, and drains don't evict these.";
  if (verdict !== "notNow" || state === undefined) return undefined;
  return pods && pods.unhealthy > 0 && !canEvictUnhealthy(state) ? `${NOT_NOW} ${ALWAYS_ALLOW}` : NOT_NOW;
}

/** Whether the operator that manages the budget resolves this. */
export function isHandled(verdict: DrainVerdict): boolean {
  return verdict === "notNow" || verdict === "exhausted" || verdict === "stale" || isNever(verdict);
}

/** As many unknowns as a report names; more are only counted. */
const MAX_COLLECTED = 10_000;

/** Collects unknowns; the last one stands for all that are only counted. */
export function createUnknownCollector(): {
  readonly add: (unknowns: readonly Unknown[]) => void;
  readonly result: () => readonly Unknown[];
} {
  const unknowns: Unknown[] = [];
  let omitted = 0;
  return {
    add(more) {
      for (const unknown of more)
        if (unknowns.length < MAX_COLLECTED) unknowns.push(unknown);
        else omitted += 1;
    },
    result() {
      if (omitted === 0) return unknowns;
      const message = `the same holds for ${omitted} more`;
      return [...unknowns, { reason: "TooManyObjects", where: "poddisruptionbudgets.policy", message }];
    },
  };
}
