import { joinSome } from "../../model/names.ts";
import { byText } from "../../model/json.ts";
import type { Budget } from "./budget.ts";
import type { Verdict } from "./verdict.ts";

export type Judged = { readonly budget: Budget; readonly verdict: Verdict };

/** What holds a drain up for a while, or only looks as if it did. */
export function noticesOf(judged: readonly Judged[]): readonly string[] {
  const own = judged.filter(({ budget }) => !budget.manager);
  return [
    ...notice(
      own.filter(({ verdict }) => verdict === "notNow"),
      (names) =>
        `${names}: some of the pods are not healthy, so no other may be evicted, and a drain waits until they are (spec.unhealthyPodEvictionPolicy AlwaysAllow lets the unhealthy ones go).`,
    ),
    ...notice(
      judged.filter(({ verdict }) => verdict === "notComputedYet"),
      (names) => `${names}: the disruption controller has just failed to compute the budget, and a drain waits for it.`,
    ),
    ...notice(
      judged.filter(({ verdict }) => verdict === "ofDaemonSet"),
      (names) => `${names}: the budget can't be computed since its pods are a DaemonSet's. Drains leave those alone.`,
    ),
    ...managedNotices(judged),
  ];
}

function managedNotices(judged: readonly Judged[]): readonly string[] {
  const held = judged.filter(({ budget, verdict }) => budget.manager && isHandled(verdict));
  return [...Map.groupBy(held, ({ budget }) => budget.manager)].flatMap(([manager, group]) =>
    manager === undefined
      ? []
      : notice(
          group,
          (names) =>
            `${names}: no pod may be evicted now, which is ${manager.name} at work. When a node is drained it ${manager.does}.`,
        ),
  );
}

/** What the operator that made the budget takes care of. */
export function isHandled(verdict: Verdict): boolean {
  return verdict === "never" || verdict === "notNow" || verdict === "stale";
}

function notice(judged: readonly Judged[], text: (names: string) => string): readonly string[] {
  if (judged.length === 0) return [];
  const names = judged.map(({ budget: { object } }) => `${object.namespace ?? ""}/${object.name}`).toSorted(byText);
  return [text(`PodDisruptionBudget ${joinSome(names)}`)];
}
