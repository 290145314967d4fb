import assert from "node:assert/strict";
import { test } from "node:test";
import {
  findServerVersion,
  getPlatform,
  isSameRelease,
  parseKubernetesVersion,
  parseTargetVersion,
  compareVersions,
  parseVersion,
  getUpdateKind,
} from "../../src/model/version.ts";

function parse(text: string): NonNullable<ReturnType<typeof parseKubernetesVersion>> {
  const version = parseKubernetesVersion(text);
  if (!version) throw new Error(`${text} is no version`);
  return version;
}

const VERSIONS: readonly (readonly [given: string, text: string, minor: number, patch: number])[] = [
  ["v1.35.2", "1.35.2", 35, 2],
  ["1.36.0", "1.36.0", 36, 0],
  ["v1.33.4-gke.1036000", "1.33.4-gke.1036000", 33, 4],
  ["v1.29.1-eks-508b6b3", "1.29.1-eks-508b6b3", 29, 1],
  ["v1.34.1+k3s1", "1.34.1+k3s1", 34, 1],
  ["v1.32.5+rke2r1", "1.32.5+rke2r1", 32, 5],
  ["v1.26.5+vmware.2-fips.1", "1.26.5+vmware.2-fips.1", 26, 5],
  ["v1.28.3-aliyun.1", "1.28.3-aliyun.1", 28, 3],
  ["1.28.3-myrc.v1", "1.28.3-myrc.v1", 28, 3],
  ["1.28.3-rc1.1", "1.28.3-rc1.1", 28, 3],
];
for (const [given, text, minor, patch] of VERSIONS) {
  test(`${given} is the release ${minor}.${patch}, whatever its vendor suffix`, () => {
    const version = parse(given);
    assert.deepEqual([version.text, version.minor, version.patch, version.pre], [text, minor, patch, []]);
    assert.equal(compareVersions(version, parse(`1.${minor}.${patch}`)), 0);
  });
}

test("a Kubernetes pre-release comes before its release", () => {
  assert.equal(getUpdateKind(parse("v1.36.0-rc.1"), parse("v1.36.0")), "patch");
  assert.equal(getUpdateKind(parse("v1.36.0"), parse("v1.36.0-alpha.1.5+0a1b2c3")), "rollback");
  assert.equal(getUpdateKind(parse("v1.35.9-gke.1"), parse("v1.36.0-beta.0")), "minor");
});

for (const text of ["", "v1.36", "v2.1.0", "4.20.3", "v4.20.3", "v1.20.4_odd", "1.036.1", "latest"]) {
  test(`"${text}" is not the version of a Kubernetes API server`, () =>
    assert.equal(parseKubernetesVersion(text), undefined));
}

const TARGETS: readonly (readonly [given: string, text: string, anyPatch: boolean])[] = [
  ["v1.36", "1.36.0", true],
  ["1.36", "1.36.0", true],
  ["v1.36.0", "1.36.0", false],
  ["1.36.3+k3s1", "1.36.3+k3s1", false],
  ["4.20.3", "4.20.3", false],
  ["5.0.0-rc.1", "5.0.0-rc.1", false],
];
for (const [given, text, anyPatch] of TARGETS) {
  test(`the target ${given} is ${text}${anyPatch ? " or any later patch" : ""}`, () => {
    const asked = parseTargetVersion(given);
    assert.deepEqual([asked?.version.text, asked?.isMinorOnly], [text, anyPatch]);
  });
}

for (const text of ["4.20", "v4.20.3", "v1", "1.x", "v1.36.", "x1.36", "1.36x", ""]) {
  test(`the target "${text}" is not a version`, () => assert.equal(parseTargetVersion(text), undefined));
}

test("a major of 1 is Kubernetes, and any other is OpenShift", () => {
  const platforms = ["1.36.0", "3.11.0", "4.23.0", "5.0.0"].map((text) => {
    const version = parseVersion(text);
    return version && getPlatform(version);
  });
  assert.deepEqual(platforms, ["kubernetes", "openshift", "openshift", "openshift"]);
});

test("a cluster runs a release if the versions are the same, and any build of a plain Kubernetes version", () => {
  const pairs: readonly (readonly [source: string, target: string, isSame: boolean])[] = [
    ["4.19.3", "4.19.3", true],
    ["4.19.3", "4.19.4", false],
    ["v1.35.2+k3s1", "v1.35.2", true],
    ["v1.35.2+k3s1", "v1.35.2+k3s1", true],
    ["v1.35.2+k3s1", "v1.35.2+k3s2", false],
    ["v1.35.2", "v1.35.3", false],
    ["nightly", "nightly", true],
    ["nightly", "4.19.3", false],
    ["4.19.3", "nightly", false],
  ];
  for (const [source, target, isSame] of pairs)
    assert.equal(isSameRelease(source, target), isSame, `${source} ${target}`);
});

test("an API server that emulates another minor behaves as that one", () => {
  const own = "v1.36.3+k3s1";
  const server = (major: string | undefined, minor: string | undefined, gitVersion = own): string =>
    JSON.stringify({ gitVersion, emulationMajor: major, emulationMinor: minor });
  const texts: readonly (readonly [text: string, version: string])[] = [
    [server("1", "33"), "v1.33.0+emulated.by.1.36.3.k3s1"],
    [server("1", "9"), "v1.9.0+emulated.by.1.36.3.k3s1"],
    [server("1", "33", "1.36.3+v1"), "v1.33.0+emulated.by.1.36.3.v1"],
    [server("1", "36"), own],
    [server("1", "1234"), own],
    [server("1", "x"), own],
    [server("1", "3x"), own],
    [server("2", "33"), own],
    [server("11", "33"), own],
    [server("1", undefined), own],
    [server(undefined, "33"), own],
    [server("1", "33", "v4.20.1"), "v4.20.1"],
    ["no JSON", ""],
  ];
  assert.deepEqual(
    texts.map(([text]) => findServerVersion(text)),
    texts.map(([, version]) => version),
  );
});
