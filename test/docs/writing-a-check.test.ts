import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { formatFault } from "../../src/data-checks/fault.ts";
import { loadChecks } from "../../src/data-checks/load.ts";

const GUIDE = readFileSync(join(import.meta.dirname, "../../docs/writing-a-check.md"), "utf8");

const checks = [...GUIDE.matchAll(/^```yaml\n(apiVersion: preflight.*?)^```$/gms)].map(([, text = ""]) => text);

test("the guide has checks, and begins with one", () => {
  assert.ok(checks.length >= 3);
  assert.ok(GUIDE.indexOf("```yaml") < GUIDE.indexOf("## In TypeScript"));
});

for (const text of checks) {
  const [, name = "?"] = /name: ([\w-]+)/.exec(text) ?? [];
  test(`nothing is wrong with ${name} of the guide`, async () => {
    const { faults } = await loadChecks([{ name, text }], { kind: "site" }, new Set());
    assert.deepEqual(faults.map(formatFault), []);
  });
}
