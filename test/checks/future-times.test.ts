import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type CheckCase, readCase } from "../../src/cases/case-files.ts";
import { judgeOpenCase, openCase } from "../../src/cases/runner.ts";
import { checks } from "../../src/checks/index.ts";
import { type JsonObject, parseObject } from "../../src/model/json.ts";
import { caseFiles } from "../../verify/shared/check-folders.ts";
import { sampleEach } from "../support/cases/sample.ts";

/** Of each check's cases; all of them with PREFLIGHT_CASES=all. */
const STEP = 5;

/** When something came to be as it is, by a clock that is far ahead. */
const SINCE =
  /"(lastTransitionTime|creationTimestamp|endpoints\.kubernetes\.io\/last-change-trigger-time)":"\d{4}-[^"]*Z"/g;

function moveTimes(cluster: JsonObject): JsonObject {
  const text = JSON.stringify(cluster).replaceAll(SINCE, '"$1":"2999-01-01T00:00:00Z"');
  return parseObject(text) ?? assert.fail("it is JSON no longer");
}

async function listRisks(one: CheckCase): Promise<{ readonly names: readonly string[]; readonly isUnknown: boolean }> {
  const { outcome, risks } = await judgeOpenCase(await openCase(one), one.check, checks);
  return { names: risks.map(({ name }) => name), isUnknown: outcome.kind === "unknown" };
}

describe("a fault that is of the future by its own clock is a risk all the same, or unknown", () => {
  for (const check of checks)
    test(check.id, async () => {
      const hidden: string[] = [];
      for (const file of sampleEach(caseFiles(check), STEP)) {
        const one = readCase(file);
        const moved = moveTimes(one.cluster);
        // Others may then report the fault in its place.
        if (one.otherChecks.length > 0 || JSON.stringify(moved) === JSON.stringify(one.cluster)) continue;
        const before = await listRisks(one);
        const after = await listRisks({ ...one, cluster: moved });
        const lost = before.names.filter((name) => !after.names.includes(name));
        if (lost.length > 0 && !after.isUnknown) hidden.push(`${one.name}: ${lost.join()}`);
      }
      assert.deepEqual(hidden, []);
    });
});
