import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parseCase } from "../../src/cases/parser.ts";
import { formatFault } from "../../src/data-checks/format/fault.ts";
import { loadChecks } from "../../src/data-checks/load.ts";
import { parseDocuments } from "../../src/encoding/yaml.ts";
import { at, isObject, listAt } from "../../src/model/json.ts";

const GUIDE = readFileSync(join(import.meta.dirname, "../../docs/writing-a-check.md"), "utf8");

const checks = [...GUIDE.matchAll(/^```yaml\n(apiVersion: preflight.*?)^```$/gms)].map(([, text = ""]) => text);

const [base, difference] = [...GUIDE.matchAll(/^```yaml\n(# (?!Both).*?\ncluster:\n.*?)^```$/gms)].map(
  ([, text = ""]) => text,
);

test("the guide's first case differs from the base before it in one database", () => {
  assert.ok(base !== undefined && difference !== undefined);
  const shared = parseDocuments(base);
  const [document] = shared.kind === "documents" ? shared.documents : [];
  assert.ok(isObject(document));
  const { cluster } = parseCase(difference, undefined, () => document);
  const instances = listAt(cluster, "/apis/postgresql.cnpg.io/v1/clusters", "items").map((one) =>
    at(one, "spec", "instances"),
  );
  assert.deepEqual(instances, [1, 3]);
});

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
