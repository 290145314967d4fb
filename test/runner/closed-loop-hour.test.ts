import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { listAt, textAt } from "../../src/model/json.ts";
import { type Minute, playHour } from "../support/closed-loop/hour.ts";
import type { Trouble } from "../../verify/operator/operator-model.ts";

const TROUBLE: Trouble = { operator: true, budget: true, published: true, alert: true };
/** When the causes or the request go. */
const END = 20;
/** By then: a cycle, the time for which an alert fires on, and a refresh of the operator. */
const ALL_CLEAR = END + 5 + 10 + 3;

/** The risks that ClusterVersion shows, on any update. */
function listShown({ status }: Minute): readonly string[] {
  const risks = listAt(status, "conditionalUpdates").flatMap((update) => listAt(update, "risks"));
  return [...new Set(risks.map((risk) => textAt(risk, "name") ?? ""))].toSorted();
}

function listConditions({ status }: Minute): readonly string[] {
  return listAt(status, "conditions")
    .map((one) => textAt(one, "type") ?? "")
    .filter((type) => type.startsWith("Preflight"));
}

/** How often each name comes and goes in the hour. */
function countChanges(minutes: readonly Minute[], list: (minute: Minute) => readonly string[]): readonly string[] {
  const lists = minutes.map(list);
  return [...new Set(lists.flat())].toSorted().map((name) => {
    const times = lists.filter((one, i) => one.includes(name) !== (lists[i - 1] ?? []).includes(name)).length;
    return `${name} ${times}`;
  });
}

const FOUND = ["ClusterOperatorNotUpgradeable", "ConditionalUpdateRiskApplies", "DrainBlockedByDisruptionBudget"];

describe("an hour of a preflight whose alerts the operator makes risks of", () => {
  test("every risk ends with its cause, although its own alert shows it to the next cycles", async () => {
    const findTrouble = (minute: number): Trouble => (minute < END ? TROUBLE : {});
    const minutes = await playHour({ lifted: "show", findTrouble });
    assert.deepEqual(minutes[END - 1]?.document, FOUND);
    for (const name of FOUND) assert.ok(listShown(minutes[END - 1] ?? assert.fail()).includes(name), name);
    assert.deepEqual(minutes[END + 5]?.document, []);
    for (const minute of minutes.slice(ALL_CLEAR)) assert.deepEqual([minute.alerts, listShown(minute)], [[], []]);
    for (const list of [({ document }: Minute) => document, ({ alerts }: Minute) => alerts, listShown]) {
      const changes = countChanges(minutes, list);
      for (const name of FOUND)
        assert.ok(changes.includes(`${name} 2`), `${name} comes and goes once: ${changes.join()}`);
      assert.ok(
        changes.every((one) => one.endsWith(" 2")),
        changes.join(),
      );
    }
  });

  test("a withdrawn preflight leaves the operator's own risks, and none of its own", async () => {
    const minutes = await playHour({ lifted: "show", findTrouble: () => TROUBLE, cancelledAt: END });
    const own = ["ClusterOperatorUpgradeable-storage", "KubeNodeNotReady", "PodDisruptionBudgetAtLimit"];
    assert.deepEqual(listConditions(minutes[END] ?? assert.fail()), []);
    for (const minute of minutes.slice(END + 10 + 3)) {
      assert.deepEqual([minute.alerts, minute.document, listConditions(minute)], [[], [], []]);
      assert.deepEqual(listShown(minute), [...own, "PublishedAndMatching"]);
    }
  });

  test("with --lifted leave, what the operator shows itself never becomes an alert of ours for long", async () => {
    const minutes = await playHour({ lifted: "leave", findTrouble: () => TROUBLE });
    for (const { document } of minutes.slice(10)) assert.deepEqual(document, []);
    assert.deepEqual(minutes.at(-1)?.alerts, []);
  });
});
