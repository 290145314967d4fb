import { strict as assert } from "node:assert";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { hasForbiddenRead, listMissingPrefixes } from "../../src/cases/coverage.ts";
import { listCaseFiles, readCase } from "../../src/cases/case-files.ts";
import { expectOf, parseExpect } from "../../src/cases/expectation.ts";
import { runCase } from "../../src/cases/runner.ts";
import { formatFault } from "../../src/data-checks/fault.ts";
import { loadChecks } from "../../src/data-checks/load.ts";
import { listTakenNames } from "../../src/cli/checks/taken-names.ts";

const RECIPES = join(import.meta.dirname, "../../examples/checks");
const names = readdirSync(RECIPES, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []));

function readRecipe(name: string): { readonly name: string; readonly text: string } {
  return { name, text: readFileSync(join(RECIPES, name, "check.yaml"), "utf8") };
}

test("all recipes can be loaded at once, beside the checks of this build", async () => {
  const { checks, faults } = await loadChecks(names.map(readRecipe), "site", listTakenNames());
  assert.deepEqual(faults.map(formatFault), []);
  assert.equal(checks.length, 10);
});

for (const name of names) {
  test(`recipe ${name} reports what its cases expect, and has one of every outcome`, async () => {
    // Cases have the names that stand in the file.
    const [check] = (await loadChecks([readRecipe(name)], "embedded", new Set())).checks;
    assert.ok(check);
    const cases = listCaseFiles(join(RECIPES, name, "cases"), check).map((file) => readCase(file));
    for (const one of cases)
      assert.deepEqual(JSON.parse(JSON.stringify(expectOf(await runCase(one, [])))), parseExpect(one), one.file);
    assert.deepEqual(
      listMissingPrefixes(
        check,
        cases.map((one) => one.name),
      ),
      [],
    );
    assert.ok(cases.some(hasForbiddenRead), "no case has a read that is forbidden");
    assert.ok(existsSync(join(RECIPES, name, "README.md")));
  });
}
