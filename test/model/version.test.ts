import assert from "node:assert/strict";
import { test } from "node:test";
import {
  comparePrerelease,
  compareVersions,
  crosses,
  isInRange,
  getKubernetesMinor,
  getMinorOrdinal,
  parseMinor,
  parseMinorOrdinal,
  parseVersion,
  getUpdateKind,
} from "../../src/model/version.ts";
import { version } from "../support/fixtures.ts";

test("parses Semantic Versioning 2.0.0 and nothing else", () => {
  for (const text of ["4.18.8", "5.0.0-rc.1", "4.20.0-0.nightly-2026-01-02-030405", "1.2.3+build.5", "0.0.0"]) {
    assert.equal(parseVersion(text)?.text, text);
  }
  for (const text of ["", "4.18", "v4.18.8", "4.18.8 ", "04.1.1", "4.1.1-", "4.1.x", "4.1.1.1", "99999999999.1.1"]) {
    assert.equal(parseVersion(text), undefined, text);
  }
});

test("orders by precedence: a release candidate comes before its release", () => {
  const ordered = [
    "4.9.9",
    "4.18.0-alpha",
    "4.18.0-alpha.1",
    "4.18.0-alpha.beta",
    "4.18.0-beta.2",
    "4.18.0-beta.11",
    "4.18.0-rc.1",
    "4.18.0",
    "4.18.1",
    "5.0.0",
  ];
  const shuffled = ordered.toReversed().map(version).toSorted(compareVersions);
  assert.deepEqual(
    shuffled.map(({ text }) => text),
    ordered,
  );
});

test("gives 4.23 and 5.0 the same position", () => {
  const place = (text: string) => getMinorOrdinal(version(text));
  assert.equal(place("4.23.0"), place("5.0.0"));
  assert.equal(place("5.1.0") - place("4.22.0"), 2);
  assert.ok(place("3.11.0") < place("4.0.0") && place("5.99.0") < place("6.0.0"));
});

test("distinguishes patch, minor and rollback, also between 4.23 and 5.0", () => {
  const kinds = [
    ["4.18.8", "4.18.9", "patch"],
    ["4.18.8", "4.18.8", "patch"],
    ["4.18.8", "4.18.7", "rollback"],
    ["4.18.8", "4.19.0", "minor"],
    ["4.22.1", "5.0.0", "minor"],
    ["4.23.1", "5.0.0", "patch"],
    ["5.0.0", "4.23.1", "rollback"],
    ["4.14.0", "4.13.9", "rollback"],
  ] as const;
  for (const [source, target, kind] of kinds)
    assert.equal(getUpdateKind(version(source), version(target)), kind, `${source} -> ${target}`);
});

test("a boundary is crossed where source < boundary <= target", () => {
  const cases = [
    ["4.18.8", "4.19.0", true],
    ["4.18.8", "4.20.0", true],
    ["4.18.8", "4.18.9", false],
    ["4.19.0", "4.20.0", false],
    ["4.20.0", "4.18.0", false],
  ] as const;
  for (const [source, target, expected] of cases)
    assert.equal(crosses(version(source), "4.19", version(target)), expected);
  assert.ok(crosses(version("4.22.0"), "5.0", version("4.23.0")));
  assert.ok(!crosses(version("4.23.0"), "5.0", version("5.0.1")));
});

test("a range includes both ends and compares full versions", () => {
  const range = { from: "4.12.18", to: "4.12.20" };
  const inside = ["4.12.17", "4.12.18", "4.12.19", "4.12.20", "4.12.21"].map((text) => isInRange(version(text), range));
  assert.deepEqual(inside, [false, true, true, true, false]);
});

test("a constant that is no minor version is a mistake of the program", () => {
  for (const text of ["4", "4.19.3", "4.12345", "x4.19", ""])
    assert.throws(() => parseMinorOrdinal(text), new Error(`${text} is not a minor version`));
});

test("identifiers of a prerelease are compared as numbers where both are, and a release comes last", () => {
  const pairs: readonly (readonly [a: string, b: string, order: number])[] = [
    ["", "", 0],
    ["a", "", -1],
    ["", "a", 1],
    ["2", "11", -9],
    ["11", "2", 9],
    ["1", "a", -1],
    ["a", "1", 1],
    ["12", "1a", -1],
    ["5", "a1", -1],
    ["a1", "5", 1],
    ["5", "-", -1],
    ["-", "5", 1],
    ["1a", "12", 1],
    ["a", "b", -1],
    ["b", "a", 1],
    ["a", "a", 0],
    ["a.b", "a", 1],
    ["a", "a.b", -1],
  ];
  const parts = (text: string): readonly string[] => (text === "" ? [] : text.split("."));
  assert.deepEqual(
    pairs.map(([a, b]) => comparePrerelease(parts(a), parts(b))),
    pairs.map(([, , order]) => order),
  );
});

test("a minor has two short numbers and a Kubernetes minor", () => {
  assert.deepEqual(parseMinor("10.1234"), { major: 10, minor: 1234 });
  for (const text of ["12345.1", "4.12345", "4", "4.", "x4.1", "4.1x"]) assert.equal(parseMinor(text), undefined);
  const minors = ["4.0.0", "4.19.3", "4.23.0", "5.0.0", "5.2.0"].map((text) => getKubernetesMinor(version(text)));
  assert.deepEqual(minors, [13, 32, 36, 36, 38]);
});

test("a range with an end that is no version is a mistake of the program", () => {
  for (const [from, to] of [
    ["x", "4.1.1"],
    ["4.1.1", "x"],
  ] as const)
    assert.throws(
      () => isInRange(version("4.1.1"), { from, to }),
      new Error(`${from} to ${to} is not a range of versions`),
    );
});
