import assert from "node:assert/strict";
import { test } from "node:test";
import { checks } from "../../src/checks/index.ts";
import dualStack from "../../src/checks/dual-stack/check.ts";
import { OTHER_NAMES } from "../../src/checks/known-bugs/published-names.ts";
import { buildContext } from "../../src/model/check.ts";
import { findCoveredRisks } from "../../src/runner/updates/applicable-checks.ts";
import { release, version } from "../support/fixtures.ts";

function listNames(id: string, source: string, target: string): readonly string[] {
  const context = buildContext(version(source), release(target), new Date(0));
  const selected = checks.filter((check) => check.id === id);
  return findCoveredRisks(selected, context).map(({ name, risk }) => `${name}: ${risk ?? "a notice"}`);
}

test("a check covers the names of its risks", () => {
  assert.deepEqual(listNames("sigstore-mirrors", "4.20.1", "4.21.1"), [
    "SigstoreSignatureMirroring: ReleaseMirrorsNeedSignatures",
  ]);
  assert.deepEqual(listNames("overrides", "5.0.3", "5.1.0"), ["ClusterVersionOverrides: ComponentsSetUnmanaged"]);
});

test("known-bugs covers the entries that concern the update", () => {
  assert.deepEqual(listNames("known-bugs", "4.18.1", "4.18.6").includes("CRIOLayerCompressionPulls: a notice"), true);
  assert.deepEqual(listNames("known-bugs", "4.18.1", "4.18.7").includes("CRIOLayerCompressionPulls: a notice"), false);
});

test("dual-stack covers each of its published names within a range of targets only", () => {
  const updates = [
    ["4.11.9", "4.12.19"],
    ["4.12.0", "4.12.2"],
    ["4.17.20", "4.18.8"],
  ] as const;
  const names = updates.flatMap(([source, target]) => listNames("dual-stack", source, target));
  const expected = [
    ...dualStack.risks.flatMap(({ knownAs }) => knownAs?.published ?? []),
    ...OTHER_NAMES.filter(({ check }) => check === dualStack.id).map(({ name }) => name),
  ];
  assert.deepEqual([...new Set(names.map((name) => name.split(":")[0]))].toSorted(), expected.toSorted());
  assert.deepEqual(listNames("dual-stack", "4.17.20", "4.18.9"), []);
});
