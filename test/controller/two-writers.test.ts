import assert from "node:assert/strict";
import { test } from "node:test";
import { clusterVersion, conditional, foreign, NOW, release } from "../../verify/operator/status-sample.ts";
import { createRandom } from "../../verify/schema/random/random.ts";
import { createStore } from "../support/controller/reconcile.ts";
import { playTwoWriters } from "../support/controller/two-writers.ts";

const STEPS = 500;

for (const seed of [1, 2, 3, 4, 5, 6])
  test(`two writers of ClusterVersion's status converge within ${STEPS} random steps (seed ${seed})`, async () => {
    const cluster = clusterVersion({
      available: [release("5.2.0"), release("5.1.9")],
      conditional: [conditional("5.1.0", [foreign("Theirs")], { status: "False", reason: "Theirs", message: "x" })],
      union: [foreign("Theirs")],
    });
    const random = createRandom(seed);
    const { shown, conflicts } = await playTwoWriters(createStore(undefined, cluster), {
      steps: STEPS,
      random,
      source: "5.0.3",
      targets: ["5.2.0", "5.1.9"],
      start: NOW,
    });
    assert.ok(shown > 0 && conflicts >= 10, `risks were shown ${shown} times, and ${conflicts} writes were late`);
  });
