import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { toYaml } from "../../src/encoding/yaml.ts";
import { CAPABILITIES, type CapabilityTable } from "../../src/model/capabilities.ts";
import { type PublishedCapabilities, readPublishedCapabilities } from "../../tools/capabilities/published-crds.ts";
import { formatTable } from "../../tools/capabilities/table-text.ts";
import { updateTable } from "../../tools/capabilities/update-table.ts";
import { SHARED } from "../../verify/api-server/control-plane.ts";
import { createTestFolder } from "../support/registry.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const TABLE: CapabilityTable = {
  source: "a test",
  capabilities: [{ since: "4.11", names: ["Old"] }],
  namedSets: ["4.11"],
};

function publish(minor: number, featureSet: string, ...known: readonly string[]): PublishedCapabilities {
  return { minor: { major: 5, minor }, featureSet, known, sets: ["None", "v4.11", "vCurrent"] };
}

test("the table's file is as the command writes it", () => {
  assert.equal(readFileSync(join(ROOT, "src/model/capabilities.json"), "utf8"), formatTable(CAPABILITIES));
});

test("what is new is added with its minor, and with its feature sets if not all have it", () => {
  const { table, added, gone } = updateTable(TABLE, [
    publish(3, "", "Old", "New"),
    publish(3, "TechPreviewNoUpgrade", "Old", "New", "Gated"),
    publish(4, "", "Old", "New", "Gated"),
    publish(4, "TechPreviewNoUpgrade", "Old", "New", "Gated"),
  ]);
  assert.deepEqual(table.capabilities, [
    { since: "4.11", names: ["Old"] },
    { since: "5.3", featureSets: ["TechPreviewNoUpgrade"], names: ["Gated"] },
    { since: "5.3", names: ["New"] },
    { since: "5.4", names: ["Gated"] },
  ]);
  assert.deepEqual(added, [
    "new   5.3: Gated, in the feature sets TechPreviewNoUpgrade only",
    "new   5.3: New",
    "new   5.4: Gated",
  ]);
  assert.deepEqual(gone, []);
});

test("what is no longer published stays in the table, and is named", () => {
  const { table, added, gone } = updateTable(TABLE, [publish(3, "")]);
  assert.deepEqual([table, added, gone], [TABLE, [], ["gone  5.3: Old, which the table keeps"]]);
});

const crds = `${SHARED}/crds`;
const missing = existsSync(crds) ? false : `${crds} is not there`;

test("the table follows from the CRDs of its releases", { skip: missing }, async () => {
  const published = await readPublishedCapabilities(crds);
  assert.deepEqual(updateTable(CAPABILITIES, published), { table: CAPABILITIES, added: [], gone: [] });
  const isOld = (since: string): boolean => ["4.11", "4.12"].includes(since);
  const old = {
    ...CAPABILITIES,
    capabilities: CAPABILITIES.capabilities.filter(({ since }) => isOld(since)),
    namedSets: CAPABILITIES.namedSets.filter(isOld),
  };
  assert.deepEqual(updateTable(old, published).table, CAPABILITIES);
});

test("the command reads the release branches of a clone, and changes the table", (t) => {
  const folder = createTestFolder(t);
  const table = join(folder, "capabilities.json");
  writeFileSync(table, formatTable(TABLE));
  const clone = join(folder, "api");
  mkdirSync(join(clone, "config", "v1"), { recursive: true });
  const list = { type: "array", items: { enum: ["Old", "New"] } };
  const fields = { enabledCapabilities: list, knownCapabilities: list };
  const schema = { properties: { status: { properties: { capabilities: { properties: fields } } } } };
  const crd = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "clusterversions.config.openshift.io" },
    spec: {
      group: "config.openshift.io",
      names: { plural: "clusterversions", kind: "ClusterVersion" },
      scope: "Cluster",
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
  writeFileSync(join(clone, "config", "v1", "0000_01_clusterversions-Default.crd.yaml"), toYaml(crd));
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd: clone });
  git("init", "--quiet", "--initial-branch", "release-5.2");
  git("add", ".");
  git("commit", "--quiet", "--message", "data");
  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, ["tools/update-capabilities.ts", ...args, "--table", table], {
      cwd: ROOT,
      encoding: "utf8",
    });
  const { status, stdout, stderr } = run(clone);
  assert.deepEqual([status, stderr], [1, ""]);
  assert.match(stdout, /^new {3}5\.2: New\n[^]*1 minors compared, 1 additions\.\n$/);
  assert.match(readFileSync(table, "utf8"), /\{ "since": "5\.2", "names": \["New"\] \}/);
  const refused = run(join(folder, "nothing"));
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /^capabilities:update: .* does not exist: name a clone of openshift\/api/);
});
