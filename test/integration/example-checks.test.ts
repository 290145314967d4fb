import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { listCaseFiles, readCase } from "../../src/cases/case-files.ts";
import { loadChecks } from "../../src/data-checks/load.ts";
import { type CaseCluster, startCaseCluster } from "../support/case-cluster.ts";
import { type Replay, buildCaseReplay } from "../support/case-replays.ts";
import { noControlPlane } from "../../verify/api-server/control-plane.ts";
import { readCheckText } from "../support/examples/check-cases.ts";
import {
  COMPONENT_TRIALS,
  createComponentPayloads,
  runComponentTrial,
} from "../support/integration/component-trials.ts";
import { createFixTrials, selectTried } from "../support/integration/fix-trials.ts";
import { type AdminShell, openAdminShell } from "../../verify/shared/admin-shell.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";
import { sampleEach } from "../support/cases/sample.ts";

const RECIPES = join(import.meta.dirname, "../../examples/checks");

/** The risk and clear cases of a recipe. */
async function buildReplays(folder: string): Promise<readonly Replay[]> {
  const { checks } = await loadChecks([readCheckText(folder)], { kind: "embedded" }, new Set());
  const files = checks.flatMap((check) => listCaseFiles(join(folder, "cases"), check));
  return files.filter((one) => /^(?:risk|clear)-/.test(one.name)).map((one) => buildCaseReplay(readCase(one)));
}

const all = (await Promise.all(readdirSync(RECIPES).map((name) => buildReplays(join(RECIPES, name))))).flat();
const tried = sampleEach(selectTried(all), 3);

describe("example checks on a real API server", { skip: noControlPlane }, () => {
  const trials = createFixTrials(tried);
  const payloads = createTemporaryFolder();
  let cluster: CaseCluster;
  let shell: AdminShell;
  before(async () => {
    cluster = await startCaseCluster("4.20");
    shell = await openAdminShell(cluster.env);
    await createComponentPayloads(payloads);
  });
  after(async () => {
    await shell?.close();
    await cluster?.down();
  });

  for (const replay of all)
    test(`${replay.id} matches its recording`, { skip: replay.notReplayed ?? false }, async () => {
      try {
        await cluster.load(replay.cluster());
        const { actual, expected } = replay.compare(await replay.judge(cluster.reader));
        assert.deepEqual(actual, expected);
      } finally {
        await cluster.reset();
      }
    });

  for (const replay of tried)
    test(`the commands of ${replay.id} show and mend it`, () => trials.run(cluster, shell, replay));

  for (const trial of sampleEach(COMPONENT_TRIALS, 2))
    test(`the payload's check of ${trial.component} reports a fault until its own commands have removed it`, () =>
      runComponentTrial(cluster, payloads, trial));
});
