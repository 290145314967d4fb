import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { listAt, textAt } from "../../src/model/json.ts";
import type { OperatorRisks } from "../../src/runner/updates/update.ts";
import { type Trouble, TARGET } from "../../verify/operator/operator-model.ts";
import { type Way, type World, buildStart, findAlert, listRisks, playOut } from "../support/closed-loop/world.ts";

const MODES: readonly OperatorRisks[] = ["leave", "show"];
const WAYS: readonly Way[] = ["neither", "controller", "alerts"];
const TROUBLES: Readonly<Record<string, Trouble>> = {
  "nothing is wrong": {},
  "an operator can't be updated": { operator: true },
  "a budget blocks a drain": { budget: true },
  "a published risk matches": { published: true },
  "an alert fires that no check knows": { alert: true },
  "only the checks see an operator and a budget": { operator: true, budget: true, unseenByOperator: true },
  "everything is wrong": { operator: true, budget: true, published: true, alert: true },
};

const names = (world: World): readonly string[] => (world.document?.risks ?? []).map(({ name }) => name);

/** The names of the risks that ClusterVersion shows for the target. */
function listShown({ status }: World): readonly string[] {
  const update = listAt(status, "conditionalUpdates").find((one) => textAt(one, "release", "version") === TARGET);
  return listAt(update ?? null, "risks").map((risk) => textAt(risk, "name") ?? "");
}

/** What the checks find, whoever shows it. */
const FOUND: readonly (readonly [keyof Trouble, string])[] = [
  ["operator", "ClusterOperatorNotUpgradeable"],
  ["budget", "DrainBlockedByDisruptionBudget"],
  ["published", "ConditionalUpdateRiskApplies"],
  ["alert", "ConditionalUpdateRiskApplies"],
];

for (const mode of MODES)
  for (const way of WAYS)
    describe(`with --lifted ${mode}, and ${way} bringing risks to ClusterVersion`, () => {
      for (const [what, trouble] of Object.entries(TROUBLES)) {
        const found = FOUND.filter(([key]) => trouble[key]).map(([, risk]) => risk);

        test(`while ${what}, rounds come to rest, and the risks are told once somewhere`, async () => {
          const { world } = await playOut(buildStart(trouble), trouble, mode, way);
          const isLeft = mode === "leave" && trouble.unseenByOperator === undefined;
          assert.deepEqual(names(world), isLeft ? [] : [...new Set(found)].toSorted());
          const isShown = found.length === 0 || names(world).length > 0 || listShown(world).length > 0;
          assert.ok(isShown, "neither the document nor ClusterVersion has a risk");
        });

        test(`once ${what} no more, every risk is gone after as many rounds`, async () => {
          const { world: before } = await playOut(buildStart(trouble), trouble, mode, way);
          const { world } = await playOut(before, {}, mode, way);
          assert.deepEqual([names(world), listShown(world)], [[], []]);
        });

        test(`while ${what}, alerts of a preflight that is gone change nothing`, async () => {
          const old = [
            "ConditionalUpdateRiskApplies",
            "DrainBlockedByDisruptionBudget",
            "ClusterOperatorNotUpgradeable",
          ];
          const haunted = await playOut(buildStart(trouble, old.flatMap(findAlert)), trouble, mode, way);
          const { world } = await playOut(buildStart(trouble), trouble, mode, way);
          assert.deepEqual(listRisks(haunted.world), listRisks(world));
        });
      }
    });
