import assert from "node:assert/strict";
import { test } from "node:test";
import { classifyFeatureSet } from "../../src/checks/feature-set/check.ts";
import { parseVersion } from "../../src/model/version.ts";

const RELEASES = ["4.12.9", "4.13.0-rc.1", "4.16.3", "4.21.5", "4.22.0", "4.23.1", "5.0.0-ec.2", "5.2.0"];

function classify(name: string, text: string) {
  const version = parseVersion(text);
  assert.ok(version, text);
  return classifyFeatureSet(name, version);
}

test("classifies a feature set the same way in every release", () => {
  for (const release of RELEASES) {
    assert.equal(classify("", release), "updatable", release);
    assert.equal(classify("LatencySensitive", release), "obsolete", release);
    for (const name of ["TechPreviewNoUpgrade", "DevPreviewNoUpgrade", "CustomNoUpgrade"])
      assert.equal(classify(name, release), "final", `${name} in ${release}`);
    for (const name of ["Default", "techpreviewnoupgrade", "IPv6DualStackNoUpgrade"])
      assert.equal(classify(name, release), "unknown", `${name} in ${release}`);
  }
});

test("allows updates with the OKD feature set only on OKD", () => {
  for (const release of RELEASES) assert.equal(classify("OKD", release), "unknown", release);
  for (const release of ["4.20.0-okd-scos.12", "4.21.0-0.okd-scos-2026-01-05-120000", "5.0.0-okd-scos.ec.1"])
    assert.equal(classify("OKD", release), "updatable", release);
});
