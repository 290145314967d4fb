import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createRandom } from "../../verify/schema/random/random.ts";
import { type PlayCounts, playOutages } from "../support/controller/outage-play.ts";

const SEEDS = 25;
const STEPS = 60;

describe("a controller beside an operator that loses the update service", () => {
  test("removes no runner without evidence, says nothing that is false, and writes only what changed", async () => {
    const plays: PlayCounts[] = [];
    for (let seed = 1; seed <= SEEDS; seed += 1) plays.push(await playOutages(createRandom(seed), STEPS));
    const sum = (count: (play: PlayCounts) => number): number => plays.reduce((total, play) => total + count(play), 0);
    const reached = ["TargetNotOffered", "UpdatesNotRetrieved", "TargetImageChanged", "RisksFound", "Starting"];
    for (const reason of reached) assert.ok(sum(({ reasons }) => reasons.get(reason) ?? 0) > 0, reason);
    assert.ok(sum(({ removals }) => removals) > 0);
    // The same change again, a retry of the operator and a restart of the controller write nothing.
    assert.ok(sum(({ writes }) => writes) > 0);
  });
});
