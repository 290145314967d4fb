import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { load } from "js-yaml";
import { parseEnums, getTargetEnums } from "../../src/checks/capability-enums/check.ts";
import { parseCrd } from "../../src/model/crd.ts";
import { isObject, textAt } from "../../src/model/json.ts";
import { release } from "../support/fixtures.ts";
import { SHARED } from "../../verify/api-server/control-plane.ts";

const crds = `${SHARED}/crds`;
const missing = existsSync(crds) ? false : `${crds} is not there`;

test("agrees with the ClusterVersion CRD of every release in the table", { skip: missing }, () => {
  const files = readdirSync(crds)
    .filter((minor) => /^\d+\.\d+$/.test(minor))
    .flatMap((minor) => clusterVersionFiles(minor).map((file) => ({ minor, file })));
  assert.ok(files.length > 15, `only ${files.length} ClusterVersion CRDs in ${crds}`);
  for (const { minor, file } of files) compare(minor, file);
});

function clusterVersionFiles(minor: string): readonly string[] {
  return readdirSync(`${crds}/${minor}`).filter((file) => /_clusterversions?(-\w+)?\.crd\.yaml$/.test(file));
}

function compare(minor: string, file: string): void {
  const manifest = load(readFileSync(`${crds}/${minor}/${file}`, "utf8"));
  assert.ok(isObject(manifest), file);
  const crd = parseCrd(manifest);
  assert.ok(crd, file);
  const sets = textAt(manifest, "metadata", "annotations", "release.openshift.io/feature-set")?.split(",") ?? [
    "Default",
  ];
  for (const set of sets) {
    const table = getTargetEnums(release(`${minor}.1`), set === "Default" ? "" : set);
    assert.equal(table.kind, "table");
    if (table.kind !== "table") return;
    assert.deepEqual(sorted(parseEnums(crd) ?? {}), sorted(table.enums), `${minor} ${file} ${set}`);
  }
}

function sorted(enums: Readonly<Record<string, readonly string[]>>): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(Object.entries(enums).map(([field, values]) => [field, values.toSorted()]));
}
