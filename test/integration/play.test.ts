import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { listDifferences } from "../../verify/play/differences.ts";
import { createMemory } from "../../verify/play/memory.ts";
import { PLAYED_PAIRS } from "../../verify/play/played-pairs.ts";
import { playUpdate } from "../../verify/play/run.ts";
import { EFFECTS } from "../../verify/play/truth.ts";
import { noControlPlane } from "../../verify/api-server/control-plane.ts";
import { nightly } from "../support/cases/sample.ts";

const SEED = Number(process.env["PREFLIGHT_SEED"] ?? 1);

// breakages.test.ts and play-faults.test.ts have what an API server then does for each change.
describe("an update from 4.20 to 4.21 that is played", { skip: noControlPlane || nightly }, () => {
  test("does to each object what preflight said", async (t) => {
    const pair = PLAYED_PAIRS.find(({ source, target }) => source === "4.20" && target === "4.21");
    assert.ok(pair?.emulated);
    const options = { seed: SEED, objects: 135, tightened: 3, faults: [], weights: createMemory() };
    const result = await playUpdate(pair, { ...options, say: (line) => t.diagnostic(line) });
    const open = listDifferences(result).filter(({ reason }) => reason === undefined);
    assert.deepEqual(
      open.map(({ kind, object, text }) => `${kind}: ${object}: ${text}`),
      [],
    );
    const harmed = result.comparisons.filter(({ happened }) => happened.effect !== "none");
    assert.ok(harmed.length > 5, `${harmed.length} of ${result.comparisons.length} objects harmed`);
    const effects = new Set(result.comparisons.map(({ happened }) => happened.effect));
    assert.deepEqual([...effects].toSorted(), [...EFFECTS].toSorted());
    const refused = new Set(result.definitions.hits.map(({ risk }) => risk));
    assert.ok(refused.size > 2, [...refused].join());
  });
});
