import assert from "node:assert/strict";
import { test } from "node:test";
import { parseFieldPath } from "../../src/manifests/field-paths.ts";

const OBJECT = {
  metadata: { labels: { "app.kubernetes.io/name": 1, "a[0]": "x" } },
  spec: {
    list: [
      { name: "db", mode: "x" },
      { name: "web", mode: "y" },
    ],
    map: { "a.b": { c: 1 }, a: { b: 2 } },
    "": 1,
  },
};

for (const [text, path] of [
  ["", []],
  ["spec", ["spec"]],
  ["spec.list[0].mode", ["spec", "list", 0, "mode"]],
  ["spec.list[web].mode", ["spec", "list", 1, "mode"]],
  ["spec.list[absent].mode", ["spec", "list", "absent", "mode"]],
  ["spec.list[0].absent[1].x", ["spec", "list", 0, "absent", 1, "x"]],
  ["metadata.labels.app.kubernetes.io/name", ["metadata", "labels", "app.kubernetes.io/name"]],
  ["metadata.labels[app.kubernetes.io/name]", ["metadata", "labels", "app.kubernetes.io/name"]],
  ["metadata.labels[a[0]]", ["metadata", "labels", "a[0]"]],
  ["spec.map.a.b.c", ["spec", "map", "a.b", "c"]],
  ["spec.map[a].b", ["spec", "map", "a", "b"]],
  ["spec.", ["spec", ""]],
  ["spec.map[absent].x", ["spec", "map", "absent", "x"]],
  ["]", ["]"]],
] as const)
  test(`${JSON.stringify(text)} leads to ${JSON.stringify(path)}`, () => {
    assert.deepEqual(parseFieldPath(OBJECT, text), path);
  });
