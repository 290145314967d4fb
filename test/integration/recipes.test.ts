import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { listCaseFiles, readCase } from "../../src/cases/case-files.ts";
import { loadChecks } from "../../src/data-checks/load.ts";
import { type CaseCluster, startCaseCluster } from "../support/case-cluster.ts";
import { type Replay, buildCaseReplay } from "../support/case-replays.ts";
import { noControlPlane } from "../support/control-plane.ts";
import { createFixTrials, selectTried } from "../support/integration/fix-trials.ts";
import { type AdminShell, openAdminShell } from "../support/printed-commands.ts";

const RECIPES = join(import.meta.dirname, "../../examples/checks");

/** The risk and clear cases of a recipe. */
async function buildReplays(name: string): Promise<readonly Replay[]> {
  const folder = join(RECIPES, name);
  const text = readFileSync(join(folder, "check.yaml"), "utf8");
  const { checks } = await loadChecks([{ name, text }], "embedded", new Set());
  const files = checks.flatMap((check) => listCaseFiles(join(folder, "cases"), check));
  return files.filter((one) => /^(?:risk|clear)-/.test(one.name)).map((one) => buildCaseReplay(readCase(one)));
}

const all = (await Promise.all(readdirSync(RECIPES).map(buildReplays))).flat();
const tried = selectTried(all);

describe("recipes on a real API server", { skip: noControlPlane }, () => {
  const trials = createFixTrials(tried);
  let cluster: CaseCluster;
  let shell: AdminShell;
  before(async () => {
    cluster = await startCaseCluster("4.20");
    shell = await openAdminShell(cluster.env);
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
});
