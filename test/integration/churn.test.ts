import assert from "node:assert/strict";
import { test } from "node:test";
import { noControlPlane } from "../../verify/api-server/control-plane.ts";
import { auditSchedule } from "../../verify/churn/audit.ts";
import { playSteps } from "../../verify/churn/play.ts";
import { buildSchedule } from "../../verify/churn/schedule.ts";
import { FAST, startWorld } from "../../verify/churn/world.ts";
import { nightly } from "../support/cases/sample.ts";

/** `npm run churn` plays the long schedules. */
const STEPS = 15;
const SEED = 4;

test(
  `after each of ${STEPS} random steps of operator, alerts, runner and people, the cluster is what the last of them say`,
  { skip: noControlPlane || nightly },
  async (context) => {
    const world = await startWorld(FAST);
    try {
      const onProgress = (line: string): void => context.diagnostic(line);
      const log = await playSteps(world, buildSchedule(SEED, STEPS), { blockSize: 5, onProgress });
      const { faults } = await auditSchedule(world.stage.cluster.auditLog, log);
      assert.deepEqual(faults, []);
      assert.deepEqual([...world.updates, ...(world.operator?.updates ?? [])], [], "nothing was started");
    } finally {
      await world.stop();
    }
  },
);
