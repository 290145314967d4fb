import assert from "node:assert/strict";
import test from "node:test";
import { getBaselineSets, getKnownCapabilities } from "../../src/model/capabilities.ts";

function minor(text: string): { major: number; minor: number } {
  const [major = 0, of = 0] = text.split(".").map(Number);
  return { major, minor: of };
}

test("the number of known capabilities grows with the minor", () => {
  const counts = {
    "3.11": 0,
    "4.10": 0,
    "4.11": 3,
    "4.12": 7,
    "4.13": 8,
    "4.14": 12,
    "4.15": 14,
    "4.17": 16,
    "4.18": 17,
    "4.22": 17,
    "5.2": 17,
  };
  for (const [text, count] of Object.entries(counts))
    assert.equal(getKnownCapabilities(minor(text), "")?.length, count, text);
  assert.deepEqual(getKnownCapabilities(minor("4.11"), ""), ["baremetal", "marketplace", "openshift-samples"]);
});

test("gated capabilities are known in some feature sets, from 4.23 and 5.0 on", () => {
  for (const text of ["4.23", "5.0", "5.2"]) {
    assert.equal(getKnownCapabilities(minor(text), "TechPreviewNoUpgrade")?.length, 19, text);
    assert.equal(getKnownCapabilities(minor(text), "OKD")?.length, 17, text);
  }
  assert.equal(getKnownCapabilities(minor("4.22"), "TechPreviewNoUpgrade")?.length, 17);
});

test("the baseline sets end with v4.18", () => {
  assert.deepEqual(getBaselineSets(minor("4.10")), []);
  assert.deepEqual(getBaselineSets(minor("4.13")), ["None", "v4.11", "v4.12", "v4.13", "vCurrent"]);
  for (const text of ["4.18", "4.21", "5.2"]) {
    assert.deepEqual(getBaselineSets(minor(text))?.slice(-2), ["v4.18", "vCurrent"], text);
    assert.equal(getBaselineSets(minor(text))?.length, 10, text);
  }
});

test("returns undefined for a minor past the table", () => {
  assert.equal(getKnownCapabilities(minor("5.3"), ""), undefined);
  assert.equal(getBaselineSets(minor("6.0")), undefined);
});

test("names are in order, and the first sets are those of 4.11", () => {
  const gated = getKnownCapabilities(minor("5.0"), "TechPreviewNoUpgrade") ?? [];
  assert.deepEqual(gated, gated.toSorted());
  assert.deepEqual(getBaselineSets(minor("4.11")), ["None", "v4.11", "vCurrent"]);
  assert.deepEqual(getBaselineSets(minor("3.11")), []);
});
