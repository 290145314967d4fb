import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checks } from "../../src/checks/index.ts";
import { type CheckCase, readCase } from "../../src/cases/case-files.ts";
import type { Result } from "../../src/cases/expectation.ts";
import { runCase } from "../../src/cases/runner.ts";
import type { Outcome } from "../../src/model/report.ts";
import { buildCheckRows, isTried, readTriedFixes } from "../../verify/fixes/fix-table.ts";
import { caseFiles } from "../../verify/shared/check-folders.ts";
import { type Remedy, listRemedies } from "../../verify/fixes/remedies.ts";
import { applyJsonPatch } from "../../verify/shared/json-patch.ts";
import { selectedChecks } from "../support/cases/selected-checks.ts";

/** The remedies of known-bugs are in known-bugs-remedies.test.ts. */
const checksWithCases = selectedChecks.filter(({ id }) => id !== "known-bugs");

for (const check of checksWithCases)
  describe(`what the texts of ${check.id} say is done`, () => {
    const cases = caseFiles(check).map(readCase);

    for (const { one, remedy } of cases.flatMap((each) => listRemedies(each).map((remedy) => ({ one: each, remedy }))))
      test(`in ${one.name}, where "${remedy.says}" ends ${remedy.risk}`, async () => {
        const { risk, says = "", why } = remedy;
        const before = await runCase(one, checks);
        assert.ok(listRisks(before.outcome).includes(risk), `${one.name} has no ${risk}`);
        assert.match(says, /\w+ \w+/);
        const printed = listPrinted(before, risk);
        assert.ok(
          printed.some((text) => text.includes(says)),
          `"${says}" stands in none of:\n${printed.join("\n")}`,
        );
        if (!isDone(remedy)) return assert.ok(why, `${risk} of ${one.name} has neither patches nor target nor why`);
        const { outcome } = await runCase(applyRemedy(one, remedy), checks);
        assert.notEqual(outcome.kind, "unknown");
        const left = listRisks(before.outcome).filter((name) => name !== risk);
        assert.deepEqual(
          listRisks(outcome).filter((name) => !left.includes(name)),
          [],
        );
      });

    test("for every risk that no command was seen to remove in all its forms", () => {
      const tried = readTriedFixes();
      const remedied = new Set(cases.flatMap(listRemedies).map(({ risk }) => risk));
      for (const row of buildCheckRows(check)) {
        const { risk, uses, noCommand } = row;
        assert.equal(uses.length === 0, noCommand !== undefined, `${risk} needs a fix, or a remedy with noCommand`);
        const isAllTried = uses.every((use) => use === "as printed") && isTried(row, tried);
        assert.ok(isAllTried || remedied.has(risk), `no case of ${check.id} has a remedy for ${risk}`);
      }
    });
  });

function isDone({ patches, target }: Remedy): boolean {
  return target !== undefined || Object.keys(patches).length > 0;
}

function applyRemedy(one: CheckCase, { patches, target }: Remedy): CheckCase {
  const changed = Object.entries(patches).map(([path, patch]) => [
    path,
    applyJsonPatch(one.cluster[path] ?? null, patch),
  ]);
  return { ...one, ...target, cluster: { ...one.cluster, ...Object.fromEntries(changed) } };
}

function listRisks(outcome: Outcome): readonly string[] {
  return outcome.kind === "risk" || outcome.kind === "unknown" ? outcome.findings.map(({ risk }) => risk) : [];
}

/** What a report tells somebody to do about a risk. */
function listPrinted({ outcome, risks }: Result, risk: string): readonly string[] {
  const findings = outcome.kind === "risk" || outcome.kind === "unknown" ? outcome.findings : [];
  const remediations = risks.filter(({ name }) => name === risk).map(({ remediation }) => remediation);
  return [...remediations, ...findings.filter((one) => one.risk === risk).flatMap(({ fix = [] }) => fix)];
}
