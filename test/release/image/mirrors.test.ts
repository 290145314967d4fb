import assert from "node:assert/strict";
import { test } from "node:test";
import {
  findUnusableMirrors,
  MIRROR_KINDS,
  parseMirror,
  parseMirrorSet,
  selectCandidates,
} from "../../../src/release/image/mirrors.ts";
import {
  formatRegistryReference,
  parseImageReference,
  parseRegistryReference,
} from "../../../src/release/image/reference.ts";

const DIGEST = `sha256:${"a".repeat(64)}`;
const [DIGESTS, TAGS, POLICIES] = MIRROR_KINDS;

function list(reference: string, mirrors: Parameters<typeof selectCandidates>[1]): readonly string[] {
  return selectCandidates(parseRegistryReference(reference), mirrors).map((one) => formatRegistryReference(one));
}

const buildSet = (field: string, source: string, mirrors: readonly string[], more: object = {}) => ({
  spec: { [field]: [{ source, mirrors, ...more }] },
});

test("the mirrors of the longest source come first, then the source itself", () => {
  const mirrors = [
    ...parseMirrorSet(buildSet("imageDigestMirrors", "quay.io", ["lan.example/all"]), DIGESTS),
    ...parseMirrorSet(buildSet("imageDigestMirrors", "quay.io/ocp", ["one.example/a", "two.example/b/c"]), DIGESTS),
    ...parseMirrorSet(buildSet("repositoryDigestMirrors", "quay.io/oc", ["never.example/x"]), POLICIES),
    ...parseMirrorSet(buildSet("imageTagMirrors", "quay.io/ocp/release", ["tags.example/release"]), TAGS),
  ];
  assert.deepEqual(list(`quay.io/ocp/release@${DIGEST}`, mirrors), [
    `one.example/a/release@${DIGEST}`,
    `two.example/b/c/release@${DIGEST}`,
    `quay.io/ocp/release@${DIGEST}`,
  ]);
  assert.deepEqual(list("quay.io/ocp/release:4", mirrors), ["tags.example/release:4", "quay.io/ocp/release:4"]);
  assert.deepEqual(list("quay.io/other:4", mirrors), ["quay.io/other:4"]);
});

test("a cluster may forbid the source, and wildcards stand for hosts", () => {
  const forbidden = buildSet("imageDigestMirrors", "*.example.com", ["lan.example/m"], {
    mirrorSourcePolicy: "NeverContactSource",
  });
  const mirrors = parseMirrorSet(forbidden, DIGESTS);
  assert.deepEqual(list(`a.example.com/b/c@${DIGEST}`, mirrors), [`lan.example/m/b/c@${DIGEST}`]);
  assert.deepEqual(list(`example.com/b/c@${DIGEST}`, mirrors), [`example.com/b/c@${DIGEST}`]);
});

test("mirrors given by hand come before those of the cluster", () => {
  const cluster = parseMirrorSet(buildSet("imageDigestMirrors", "quay.io/ocp/release", ["lan.example/r"]), DIGESTS);
  const given = [parseMirror("usb.example:5000/release"), parseMirror("quay.io=near.example")];
  assert.deepEqual(list(`quay.io/ocp/release@${DIGEST}`, [...given, ...cluster]), [
    `usb.example:5000/release@${DIGEST}`,
    `near.example/ocp/release@${DIGEST}`,
    `lan.example/r@${DIGEST}`,
    `quay.io/ocp/release@${DIGEST}`,
  ]);
  for (const wrong of [
    "release",
    "a.example/r:1",
    "1.2.3.256/a",
    "quay.io=b.example:99999",
    "=a.example/b",
    "a.example=",
    "a.example=b c",
  ])
    assert.throws(() => parseMirror(wrong), { message: /is not a mirror/ });
});

test("the host of a mirror is the same in capitals, as that of a reference", () => {
  assert.deepEqual(list("quay.io/a:4", [parseMirror("quay.io=LAN.example:5000/m")]), [
    "lan.example:5000/m/a:4",
    "quay.io/a:4",
  ]);
});

test("a mirror that names no repository is passed over, and can be named", () => {
  const parts = buildSet("imageDigestMirrors", "quay.io/ocp", ["1.2.3.256/a", "b.example:99999", "lan.example/m", ""]);
  const mirrors = parseMirrorSet(parts, DIGESTS);
  const reference = parseRegistryReference(`quay.io/ocp/r@${DIGEST}`);
  assert.deepEqual(list(`quay.io/ocp/r@${DIGEST}`, mirrors), [`lan.example/m/r@${DIGEST}`, `quay.io/ocp/r@${DIGEST}`]);
  assert.deepEqual(
    findUnusableMirrors(reference, mirrors).map(({ mirror }) => mirror),
    ["1.2.3.256/a", "b.example:99999", ""],
  );
  assert.deepEqual(findUnusableMirrors(parseRegistryReference(`a.example/r@${DIGEST}`), mirrors), []);
});

test("references are those of podman, with a host", () => {
  const parse = (text: string) => {
    const reference = parseImageReference(text);
    return reference.kind === "registry"
      ? formatRegistryReference(reference)
      : [reference.kind, reference.path, reference.name];
  };
  assert.equal(parse("docker://Quay.io/a/b:4.18.9-x86_64"), "quay.io/a/b:4.18.9-x86_64");
  assert.equal(parse(`localhost:5000/a/b:1@${DIGEST}`), `localhost:5000/a/b@${DIGEST}`);
  assert.equal(parse("[::1]:5000/a:1"), "[::1]:5000/a:1");
  assert.deepEqual(parse("oci:/srv/a:b/c:1"), ["oci", "/srv/a", "b/c:1"]);
  assert.deepEqual(parse("docker-archive:a.tar"), ["docker-archive", "a.tar", undefined]);
  for (const wrong of [
    "a",
    "a/b:1",
    "quay.io/A/b:1",
    "quay.io/a/../b:1",
    "quay.io/a@sha256:12",
    "user@quay.io/a:1",
    "oci::x",
    "quay.io/a:b/c",
    "1.2.3.256/a/b:c",
    "1.2.3/a/b:c",
    "quay.io:99999/a/b:c",
    "[:::1]/a/b:c",
  ])
    assert.throws(() => parseImageReference(wrong), { message: /is not an image reference|names no file/ }, wrong);
});
