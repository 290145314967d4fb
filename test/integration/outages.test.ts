import assert from "node:assert/strict";
import { test } from "node:test";
import { noControlPlane } from "../../verify/api-server/control-plane.ts";
import { readClusterVersion, startStage } from "../../verify/operator/stage.ts";
import { findPlaneTarget, startPlaneWorld } from "../../verify/outages/plane-world.ts";
import { playOutages } from "../../verify/outages/play.ts";
import { createUpdateService } from "../../verify/outages/update-service.ts";
import { createRandom } from "../../verify/schema/random/random.ts";
import { nightly } from "../support/cases/sample.ts";

/** `npm run outages` plays the long ones. In these, a preflight ends and begins again. */
const STEPS = 6;
const SEED = 7774;

test(
  `in ${STEPS} random steps of an update service, its operator and people, no runner goes without evidence and nothing false is said`,
  { skip: noControlPlane || nightly },
  async () => {
    const stage = await startStage();
    try {
      const service = createUpdateService(findPlaneTarget(await readClusterVersion(stage.api)));
      const world = await startPlaneWorld(stage, service);
      try {
        const { reasons, removals } = await playOutages(world, service, createRandom(SEED), STEPS);
        for (const reason of ["RisksFound", "TargetNotOffered"])
          assert.ok(reasons.has(reason), [...reasons.keys()].join());
        assert.ok(removals > 0);
      } finally {
        await world.stop();
      }
    } finally {
      await stage.stop();
    }
  },
);
