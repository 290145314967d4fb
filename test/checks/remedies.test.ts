import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checks } from "../../src/checks/index.ts";
import { caseFiles, readCase } from "../support/cases/case-files.ts";
import type { Case } from "../support/cases/case-files.ts";
import { runCase } from "../support/cases/runner.ts";
import { NO_COMMAND } from "../support/fix-reasons.ts";
import { buildFixRows } from "../support/fix-table.ts";
import { CASE_REMEDIES } from "./remedies/case-remedies.ts";
import { applyEdits } from "./remedies/edits.ts";
import { IRREMEDIABLE, STATE_REMEDIES } from "./remedies/state-remedies.ts";

/** test/integration/fixes.test.ts tries the commands without a choice. */
test("every risk whose command needs an administrator's hand has a remedy here", () => {
  const rows = buildFixRows().filter(({ check }) => check !== "known-bugs");
  const byHand = rows.filter(({ uses }) => uses.some((use) => use !== "as printed"));
  assert.deepEqual(Object.keys(CASE_REMEDIES).toSorted(), byHand.map(({ risk }) => risk).toSorted());
});

test("every risk without a command has a remedy here, or none at all", () => {
  const listed = [...Object.keys(STATE_REMEDIES), ...IRREMEDIABLE];
  assert.deepEqual(listed.toSorted(), Object.keys(NO_COMMAND).toSorted());
});

function findCase(id: string): Case {
  const files = checks.flatMap((check) => caseFiles(check));
  const file = files.find(({ check, name }) => `${check.id}/${name}` === id);
  return readCase(file ?? assert.fail(`there is no case ${id}`));
}

async function isReported(risk: string, one: Case): Promise<boolean> {
  const { outcome } = await runCase(one);
  assert.notEqual(outcome.kind, "unknown");
  return outcome.kind === "risk" && outcome.findings.some((finding) => finding.risk === risk);
}

describe("the remedy of", () => {
  for (const [risk, remedy] of Object.entries({ ...CASE_REMEDIES, ...STATE_REMEDIES }))
    test(`${risk} clears it`, async () => {
      const one = findCase(remedy.case);
      assert.equal(await isReported(risk, one), true);
      assert.equal(await isReported(risk, { ...one, cluster: applyEdits(one.cluster, remedy.edits) }), false);
    });
});
