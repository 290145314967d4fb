import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { getBaselineSets, getKnownCapabilities } from "../../../src/model/capabilities.ts";
import type { Release } from "../../../src/model/release.ts";
import { type Json, textsAt } from "../../../src/model/json.ts";
import { selectRelease } from "../../../src/release/payload/release-selection.ts";
import { buildFacts, makeFolder, readOrThrow } from "../../support/release/payload/payload-folder.ts";
import { SHARED } from "../../../verify/api-server/control-plane.ts";
import { sampleEach } from "../../support/cases/sample.ts";

const index = join(SHARED, "crds/INDEX.tsv");
const skip = existsSync(index) ? false : `no CRDs of releases at ${SHARED}`;

type Row = {
  readonly release: string;
  readonly file: string;
  readonly crd: string;
  readonly sets: readonly string[];
  readonly profiles: readonly string[];
};

const rows: readonly Row[] =
  skip === false ? readFileSync(index, "utf8").trim().split("\n").slice(1).map(parseRow) : [];
const releases = [...new Set(rows.map(({ release }) => release))];
const SETS = ["", "CustomNoUpgrade", "DevPreviewNoUpgrade", "OKD", "TechPreviewNoUpgrade"];

function parseRow(line: string): Row {
  const [release = "", file = "", crd = "", sets = "", profiles = ""] = line.split("\t");
  return { release, file, crd, sets: sets.split(","), profiles: profiles.split(",") };
}

/** The only object that a release defines twice for a feature set: once without a set, and once for TechPreviewNoUpgrade. */
const TWICE: ReadonlyMap<string, string> = new Map([
  ["4.12 TechPreviewNoUpgrade", "containerruntimeconfigs.machineconfiguration.openshift.io"],
]);

/** The CRDs that the index lists for a self-managed cluster; feature gates are not in the index. */
function selectExpected(release: string, featureSet: string): readonly string[] {
  const wanted = featureSet || "Default";
  const twice = TWICE.get(`${release} ${wanted}`);
  return rows
    .filter((row) => row.release === release && row.profiles.includes("SelfManagedHA"))
    .filter((row) => row.sets.includes("*") || row.sets.includes(wanted))
    .filter((row) => row.crd !== twice && hasGate(row, wanted))
    .map((row) => row.crd)
    .toSorted();
}

function hasGate(row: Row, featureSet: string): boolean {
  const manifest = readFileSync(join(SHARED, "crds", row.release, row.file), "utf8");
  const gate = /^ +release\.openshift\.io\/feature-gate: (\w+)$/m.exec(manifest)?.[1];
  if (gate === undefined) return true;
  const file = join(SHARED, "crds/featuregates", row.release, `featureGate-4-10-SelfManagedHA-${featureSet}.yaml`);
  if (!existsSync(file)) return false;
  const [enabled = ""] = readFileSync(file, "utf8").split('"enabled"').slice(1);
  return enabled.includes(`"${gate}"`);
}

for (const name of sampleEach(releases, 7)) {
  test(`each feature set of release ${name} gets the CRDs that the index lists`, async (t) => {
    const root = makeFolder(t, {});
    execFileSync("bash", [join(SHARED, "envtest/payload.sh"), name, `${name}.1`, root]);
    const payload = await readOrThrow(root);
    assert.deepEqual([payload.kind, payload.version.text], ["payload", `${name}.1`]);
    assert.deepEqual([payload.problems, payload.warnings], [[], []]);
    for (const featureSet of SETS) assertSelected(selectRelease(payload, buildFacts({ featureSet })), name, featureSet);
  });
}

function assertSelected(release: Release, name: string, featureSet: string): void {
  const twice = TWICE.get(`${name} ${featureSet}`);
  assert.equal(release.problems.length, twice === undefined ? 0 : 1, JSON.stringify(release.problems));
  assert.ok(release.problems.every(({ message }) => message.includes(twice ?? "")));
  assert.deepEqual(
    release.crds.map((crd) => crd.name),
    selectExpected(name, featureSet),
    featureSet,
  );
  assert.deepEqual(release.capabilities.known, getKnownCapabilities(release.version, featureSet), featureSet);
  assertBaselines(release);
}

function assertBaselines(release: Release): void {
  const crd = release.crds.find(({ name }) => name === "clusterversions.config.openshift.io");
  // Between 4.15 and 4.21, no variant is for a feature set that the release lacks.
  if (!crd) return;
  const schema: Json = JSON.parse(crd.versions[0]?.schema ?? "{}");
  const path = ["properties", "spec", "properties", "capabilities", "properties", "baselineCapabilitySet", "enum"];
  assert.deepEqual(getBaselineSets(release.version), textsAt(schema, ...path));
}

test("there are releases to compare with", { skip }, () => {
  assert.ok(releases.length >= 15, releases.join(" "));
  assert.ok(selectExpected("5.0", "TechPreviewNoUpgrade").includes("clusterapis.operator.openshift.io"));
  assert.ok(!selectExpected("5.0", "").includes("clusterapis.operator.openshift.io"));
});
