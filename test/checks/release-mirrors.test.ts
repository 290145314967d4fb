import assert from "node:assert/strict";
import { test } from "node:test";
import {
  buildSignatureNotices,
  findDigest,
  keepReleaseSource,
} from "../../src/checks/cluster-version/cluster-version.ts";
import { coversReleases, keepContentSources, keepDigestMirrors } from "../../src/checks/shared/release-mirrors.ts";
import sigstoreMirrors from "../../src/checks/sigstore-mirrors/check.ts";
import { buildContext } from "../../src/model/check.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import { release, version } from "../support/fixtures.ts";

const RELEASES = "quay.io/openshift-release-dev/ocp-release";

test("knows the sources that cover the repository of releases", () => {
  const table: readonly (readonly [source: string, covers: boolean])[] = [
    ["quay.io", true],
    ["quay.io/openshift-release-dev", true],
    [RELEASES, true],
    [`${RELEASES}-nightly`, false],
    ["quay.io/openshift-release", false],
    ["quay", false],
    ["*.io", true],
    ["*.quay.io", false],
    ["*.io/openshift-release-dev", false],
    ["*.dev/ocp-release", false],
    [`*.${RELEASES.slice(5)}`, false],
    ["*.ocp-release", false],
    ["", false],
  ];
  for (const [source, covers] of table) assert.equal(coversReleases(source), covers, source);
});

test("keeps the mirrors of releases by their place, and what can't be parsed", () => {
  const mirrors = ["mirror.example.com/releases"];
  const table: readonly (readonly [list: Json, kept: readonly (readonly [path: string, kind: string])[]])[] = [
    [[], []],
    [[{ source: "docker.io", mirrors }], []],
    [[{ source: RELEASES, mirrors: [] }], []],
    [[{ source: RELEASES }], []],
    [
      [
        { source: "docker.io", mirrors },
        { source: RELEASES, mirrors },
      ],
      [["[1]", "releases"]],
    ],
    [
      [{ mirrors }, { source: RELEASES, mirrors: "one" }],
      [
        ["[0]", "unreadable"],
        ["[1]", "unreadable"],
      ],
    ],
    [{ source: RELEASES }, [["", "unreadable"]]],
  ];
  const metadata = { name: "a" };
  const set = { apiVersion: "config.openshift.io/v1", kind: "ImageDigestMirrorSet" };
  const policy = { apiVersion: "operator.openshift.io/v1alpha1", kind: "ImageContentSourcePolicy" };
  for (const [list, kept] of table) {
    const sets = keepDigestMirrors({ ...set, metadata, spec: { imageDigestMirrors: list } });
    const policies = keepContentSources({ ...policy, metadata, spec: { repositoryDigestMirrors: list } });
    const build = (object: object, field: string) =>
      kept.length === 0 ? undefined : kept.map(([path, kind]) => ({ object, path: `spec.${field}${path}`, kind }));
    assert.deepEqual(sets, build({ ...set, name: "a" }, "imageDigestMirrors"));
    assert.deepEqual(policies, build({ ...policy, name: "a" }, "repositoryDigestMirrors"));
  }
  assert.equal(keepDigestMirrors({ metadata }), undefined);
});

test("tells from ClusterVersion how the cluster gets releases", () => {
  const condition = (status: string) => ({ status: { conditions: [{ type: "RetrievedUpdates", status }] } });
  const table: readonly (readonly [object: JsonObject, isOffline: boolean, hasSignatureStores: boolean])[] = [
    [{}, false, false],
    [{ spec: { upstream: "" } }, false, false],
    [{ spec: { upstream: "https://api.openshift.com/api/upgrades_info/v1/graph" } }, false, false],
    [{ spec: { upstream: "https://updates.example.com" } }, true, false],
    [condition("True"), false, false],
    [condition("False"), true, false],
    [{ spec: { signatureStores: [] } }, false, false],
    [{ spec: { signatureStores: [{ url: "https://a.example.com" }] } }, false, true],
  ];
  for (const [object, isOffline, hasSignatureStores] of table) {
    const access = keepReleaseSource(object);
    assert.deepEqual([access.isOffline, access.hasSignatureStores], [isOffline, hasSignatureStores]);
  }
});

const TARGET = "4.19.2";
const HEX = "ab".repeat(32);

test("finds the digest of the target in ClusterVersion, or else in the release", () => {
  const named = (image: string) => ({ version: TARGET, image });
  const table: readonly (readonly [object: JsonObject, image: string | undefined, digest: string | undefined])[] = [
    [{ spec: { desiredUpdate: named(`a@sha256:${HEX}`) } }, undefined, `sha256-${HEX}`],
    [{ status: { availableUpdates: [named(`a@sha256:${HEX}`)] } }, undefined, `sha256-${HEX}`],
    [{ status: { conditionalUpdates: [{ release: named(`a@sha256:${HEX}`) }] } }, undefined, `sha256-${HEX}`],
    [{ status: { availableUpdates: [{ ...named(`a@sha256:${HEX}`), version: "4.19.1" }] } }, undefined, undefined],
    [{}, `a@sha256:${HEX}`, `sha256-${HEX}`],
    [{}, undefined, undefined],
    [{}, `a@sha256:${HEX}0`, undefined],
    [{}, `a@sha256:${HEX.slice(1)}`, undefined],
    [{}, `a:${TARGET}`, undefined],
  ];
  for (const [object, image, digest] of table) {
    const context = buildContext(version("4.18.5"), release(TARGET, { image }), new Date(0));
    assert.equal(findDigest(keepReleaseSource(object), context), digest);
  }
});

test("asks for the signature of a release that mirrors of releases alone provide", () => {
  const context = buildContext(version("4.18.5"), release(TARGET), new Date(0));
  const build = (name: string, kind: "releases" | "unreadable") => ({
    kind: "found" as const,
    values: [[{ object: { apiVersion: "a/v1", kind: "Set", name }, path: "spec", kind }]],
  });
  const keys = (...value: readonly string[]) => ({ kind: "found", value }) as const;
  const sets = build("b", "releases");
  const policies = build("a", "releases");
  const none = keys();
  const table: readonly (readonly [
    reads: Parameters<typeof buildSignatureNotices>[1],
    digest: string | undefined,
    RegExp?,
  ])[] = [
    [{ common: none, own: none }, "sha256-1"],
    [{ sets: build("a", "unreadable"), common: none, own: none }, "sha256-1"],
    [{ sets, common: keys("sha256-1-1"), own: none }, "sha256-1"],
    [{ sets, common: none, own: keys("sha256-0", "sha256-1") }, "sha256-1"],
    [
      { sets, policies, common: none, own: none },
      "sha256-1",
      /\(Set a and Set b\).* without a ConfigMap that has its signature: look for a key that begins with sha256-1 \(/,
    ],
    [
      { sets, common: keys("sha256-2"), own: none },
      "sha256-1",
      /its signature: look for a key that begins with sha256-1 \(/,
    ],
    [
      { sets, common: none },
      undefined,
      /its signature: look for a key that begins with sha256- and the digest of its image \(/,
    ],
    [{ sets, common: keys("sha256-1") }, undefined, /its signature: look /],
    [{ sets }, undefined, /\(whether one exists is unknown, since ConfigMap \S+\/\S+ could not be read\): look/],
    [
      { sets, common: none },
      "sha256-1",
      /since ConfigMap openshift-config-managed\/sha256-1 could not be read\): look/,
    ],
    [{ sets }, "sha256-1", /since ConfigMap \S+ and openshift-config-managed\/sha256-1 could not be read\): look/],
  ];
  for (const [i, [reads, digest, expected]] of table.entries()) {
    const [notice, ...more] = buildSignatureNotices(digest, reads, context);
    assert.equal(more.length, 0);
    if (expected === undefined) assert.equal(notice, undefined, `row ${i}`);
    else assert.match(notice ?? "", expected, `row ${i}`);
  }
});

test("asks for signatures of mirrored releases, or leaves that to the gate and its acknowledgement", () => {
  const context = buildContext(version("4.20.5"), release("4.21.2"), new Date(0));
  const absent = { kind: "absent", what: "object" } as const;
  const found = <T extends string | boolean>(value: T) => ({ kind: "found", value }) as const;
  const mirror = (kind: "releases" | "unreadable") => ({
    object: { apiVersion: "a/v1", kind: "Set", name: "a" },
    path: "spec",
    kind,
  });
  const judge = (
    gates: string | undefined,
    acks: boolean | undefined,
    kinds: readonly ("releases" | "unreadable")[],
    topology = "HighlyAvailable",
  ) => {
    const read = <T extends string | boolean>(value: T | undefined) => (value === undefined ? absent : found(value));
    const sets = { kind: "found", values: [kinds.map(mirror)] } as const;
    const reads = {
      sets,
      policies: { kind: "found", values: [] },
      gates: read(gates),
      acks: read(acks),
      topology: found(topology),
    } as const;
    const { findings = [], notices = [], unknowns = [], notApplicable } = sigstoreMirrors.evaluate(reads, context, {});
    return (
      notApplicable ?? [findings.length, unknowns.length, ...notices.map((one) => /: ([^:]*)\.$/.exec(one)?.[1])].join()
    );
  };
  const none = `no mirror of this cluster covers ${RELEASES}`;
  const all = ["releases", "unreadable"] as const;
  const hosted = "Hosted clusters don't get the policy that requires signed release images.";
  assert.deepEqual(
    [judge(undefined, undefined, all), judge("", false, all), judge(undefined, false, all)],
    ["1,1", "1,1", "1,1"],
  );
  assert.deepEqual([judge("a", true, all), judge(undefined, true, all)], ["0,0", "0,0"]);
  assert.deepEqual(
    [judge("a", false, all), judge("a", undefined, [])],
    [`0,1,the mirrors of ${RELEASES} are in Set a`, `0,0,${none}`],
  );
  assert.equal(judge("a", false, all, "External"), hosted);
});
