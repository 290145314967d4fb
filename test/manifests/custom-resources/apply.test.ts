import assert from "node:assert/strict";
import { test } from "node:test";
import { applyManifest } from "../../../src/manifests/custom-resources/custom-resource-judge.ts";

const LAST = "kubectl.kubernetes.io/last-applied-configuration";

test("what was applied before and is gone is removed, and what others wrote stays", () => {
  const before = JSON.stringify({ spec: { old: 1, map: { a: 1, b: 2 }, list: [1] } });
  const metadata = { name: "x", annotations: { [LAST]: before, other: "o" } };
  const stored = {
    metadata,
    spec: { old: 1, own: true, map: { a: 1, b: 2, c: 3 }, list: [1] },
    status: { ready: true },
  };
  const manifest = { metadata: { name: "x" }, spec: { map: { a: 5 }, list: [2, 3], gone: null } };
  assert.deepEqual(applyManifest(manifest, stored), {
    metadata,
    spec: { own: true, map: { a: 5, c: 3 }, list: [2, 3] },
    status: { ready: true },
  });
});

test("null removes a field that is there, and an object replaces what is none", () => {
  const stored = { spec: { a: 1, b: "text" } };
  const manifest = { spec: { a: null, b: { c: 1, d: null }, e: { f: null } } };
  assert.deepEqual(applyManifest(manifest, stored), { spec: { b: { c: 1 }, e: {} } });
});
