import { strict as assert } from "node:assert";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { formatFault } from "../../src/data-checks/format/fault.ts";
import { loadChecks } from "../../src/data-checks/load.ts";
import { listTakenNames } from "../../src/cli/checks/risk-names.ts";
import { assertCases, readCheckText } from "../support/examples/check-cases.ts";

const RECIPES = join(import.meta.dirname, "../../examples/checks");
const names = readdirSync(RECIPES, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []));

test("all recipes can be loaded at once, beside the checks of this build", async () => {
  const texts = names.map((name) => readCheckText(join(RECIPES, name)));
  const { checks, faults } = await loadChecks(texts, { kind: "site" }, listTakenNames());
  assert.deepEqual(faults.map(formatFault), []);
  assert.equal(checks.length, 11);
});

for (const name of names) {
  test(`recipe ${name} reports what its cases expect, and has one of every outcome`, async () => {
    await assertCases(join(RECIPES, name));
    assert.ok(existsSync(join(RECIPES, name, "README.md")));
  });
}
