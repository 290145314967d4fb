import assert from "node:assert/strict";
import { test } from "node:test";
import {
  addRelease,
  compareReleaseVersions,
  getClusterUpdates,
  nameOf,
  releaseOf,
  removeRelease,
  risksOf,
  sortNewestFirst,
  versionOf,
} from "../../../src/lift/objects/cluster-version.ts";
import type { JsonObject } from "../../../src/model/json.ts";

const A: JsonObject = { version: "5.1.0", image: "example/a" };
const B: JsonObject = { version: "5.2.0", image: "example/b" };

test("the offered updates are the objects of both lists", () => {
  const status = { availableUpdates: [A, null, "5.2.0"], conditionalUpdates: [{ release: B }, 7] };
  assert.deepEqual(getClusterUpdates({ status }), { available: [A], conditional: [{ release: B }] });
  assert.deepEqual(getClusterUpdates({}), { available: [], conditional: [] });
});

test("an update without a release, a version, risks or names has empty ones", () => {
  const update = { release: B, risks: [{ name: "X" }, null, "Y"] };
  assert.deepEqual([versionOf(update), releaseOf(update), risksOf(update)], ["5.2.0", B, [{ name: "X" }]]);
  assert.deepEqual([versionOf({}), releaseOf({}), risksOf({}), risksOf(undefined), nameOf({})], ["", {}, [], [], ""]);
  assert.deepEqual([releaseOf({ release: "5.2.0" }), nameOf({ name: "X" })], [{}, "X"]);
});

test("a release is the same by its image, whatever its version says", () => {
  const renamed = { version: "5.9.0", image: "example/a" };
  assert.deepEqual(addRelease([A], B), [A, B]);
  assert.deepEqual(addRelease([A, B], renamed), [A, B]);
  assert.deepEqual(removeRelease([A, B], renamed), [B]);
  assert.deepEqual(removeRelease([A], B), [A]);
});

test("invalid versions stand before all others, by their text", () => {
  const rows: readonly (readonly [string, string, number])[] = [
    ["5.1.9", "5.1.10", -1],
    ["5.1.10", "5.1.9", 1],
    ["5.1.9", "5.1.9", 0],
    ["5.1.9", "nightly", 1],
    ["nightly", "5.1.9", -1],
    ["a", "b", -1],
    ["b", "a", 1],
    ["a", "a", 0],
  ];
  assert.deepEqual(
    rows.map(([a, b]) => Math.sign(compareReleaseVersions(a, b))),
    rows.map(([, , sign]) => sign),
  );
});

test("the newest stands first, and what has no version last", () => {
  const entries: readonly JsonObject[] = [
    { id: "none" },
    { id: "old", version: "5.1.9" },
    { id: "night", version: "n" },
    { version: "5.1.10" },
  ];
  const sorted = sortNewestFirst(entries, (entry) => entry);
  assert.deepEqual(sorted, [
    { version: "5.1.10" },
    { id: "old", version: "5.1.9" },
    { id: "night", version: "n" },
    { id: "none" },
  ]);
});
