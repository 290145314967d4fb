import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { checks } from "../../src/checks/index.ts";
import { KNOWN_BUGS } from "../../src/checks/known-bugs/check.ts";
import { createRecordedReader } from "../../src/cluster/recorded/recorded-reader.ts";
import type { Reader } from "../../src/model/reader.ts";
import { readCase, type CheckCase } from "../../src/cases/case-files.ts";
import { caseFiles } from "../../verify/shared/check-folders.ts";
import type { Result } from "../../src/cases/expectation.ts";
import { judgeCase } from "../../src/cases/runner.ts";
import { sampleEach } from "../support/cases/sample.ts";
import { selectedChecks } from "../support/cases/selected-checks.ts";
import { runTwice } from "../support/recorded-run.ts";
import { getAffectedSource, runKnownBugs } from "../support/checks/known-bugs/cycle.ts";
import { buildCluster, createFakeReader, type Fixture } from "../../verify/fixes/known-bugs/fake-cluster.ts";
import { FIXTURES } from "../../verify/fixes/known-bugs/fixtures.ts";

async function runCaseTwice(one: CheckCase): Promise<{ readonly live: Result; readonly recorded: Result }> {
  const folder = mkdtempSync(join(tmpdir(), "preflight-case-"));
  try {
    writeFileSync(join(folder, "cluster.json"), JSON.stringify(one.cluster));
    return await runTwice(await createRecordedReader(folder), (reader) => judgeCase(one, reader, checks));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function buildClusters(fixture: Fixture, source: string): readonly Reader[] {
  const hits = [fixture, ...(fixture.otherHits ?? [])].map(({ hit, hitHistory, hitCapabilities }) =>
    buildCluster(source, hit, { history: hitHistory, capabilities: hitCapabilities }),
  );
  const misses = [fixture, ...(fixture.otherMisses ?? [])].map(({ miss, missHistory, missCapabilities }) =>
    buildCluster(source, miss, { history: missHistory, capabilities: missCapabilities }),
  );
  return [...hits, ...misses].map((answers) => createFakeReader(answers));
}

describe("a recording has the same outcome as the cluster", () => {
  for (const check of selectedChecks)
    test(`for each case of ${check.id}`, async () => {
      for (const file of sampleEach(caseFiles(check), 6)) {
        const { live, recorded } = await runCaseTwice(readCase(file));
        assert.deepEqual(recorded, live, file.name);
      }
    });

  test(
    "for each known bug, with and without it",
    { skip: !selectedChecks.some(({ id }) => id === "known-bugs") },
    async () => {
      for (const { id, versions } of sampleEach(KNOWN_BUGS, 8)) {
        const fixture = FIXTURES[id];
        const [affected] = versions;
        if (!fixture || !affected) continue;
        const target = affected.first;
        for (const cluster of buildClusters(fixture, getAffectedSource(affected))) {
          const results = await runTwice(cluster, (reader) => runKnownBugs(reader, target));
          assert.deepEqual(results.recorded, results.live, id);
        }
      }
    },
  );
});
