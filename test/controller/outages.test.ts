import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type PlayCounts, playOutages } from "../../verify/outages/play.ts";
import type { Observed, World } from "../../verify/outages/world.ts";
import { createUpdateService } from "../../verify/outages/update-service.ts";
import { createRandom } from "../../verify/schema/random/random.ts";
import { createMemoryWorld, MEMORY_TARGET } from "../support/controller/memory-world.ts";

const SEEDS = 25;
const STEPS = 60;

describe("a controller beside an operator that loses the update service", () => {
  test("removes no runner without evidence, says nothing that is false, and writes only what changed", async () => {
    const plays: PlayCounts[] = [];
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const service = createUpdateService(MEMORY_TARGET);
      const random = createRandom(seed);
      const play = playOutages(createMemoryWorld(service, random), service, random, STEPS);
      plays.push(await play.catch((thrown: unknown) => assert.fail(`seed ${seed}, ${String(thrown)}`)));
    }
    const sum = (count: (play: PlayCounts) => number): number => plays.reduce((total, play) => total + count(play), 0);
    const reached = ["TargetNotOffered", "UpdatesNotRetrieved", "TargetImageChanged", "RisksFound", "Starting"];
    for (const reason of reached) assert.ok(sum(({ reasons }) => reasons.get(reason) ?? 0) > 0, reason);
    assert.ok(sum(({ removals }) => removals) > 0);
    const writes = sum(({ steps }) => [...steps.values()].reduce((total, one) => total + one.writes, 0));
    assert.ok(writes > 0);
  });

  let settled = 0;
  const faults: Readonly<Record<string, readonly [spoil: (seen: Observed) => Observed, expected: RegExp]>> = {
    "a runner that is gone": [(seen) => ({ ...seen, runner: undefined }), /no runner runs/],
    "a doubt that nobody has": [
      (seen) => ({ ...seen, status: `${seen.status}Whether 5.2.0 is offered is unknown: nobody looked.\n` }),
      /status : Whether 5\.2\.0 is offered/,
    ],
    "a write without a change": [(seen) => ({ ...seen, writes: seen.writes + ++settled }), /: \d+ writes/],
  };
  for (const [what, [spoil, expected]] of Object.entries(faults))
    test(`${what} is found`, async () => {
      const service = createUpdateService(MEMORY_TARGET);
      const random = createRandom(1);
      const world = createMemoryWorld(service, random);
      const spoilt: World = {
        ...world,
        async settle(judge) {
          const seen = spoil(await world.settle(() => {}));
          judge(seen);
          return seen;
        },
      };
      await assert.rejects(playOutages(spoilt, service, random, STEPS), expected);
    });
});
