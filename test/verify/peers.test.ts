import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDocuments } from "../../src/encoding/yaml.ts";
import { score } from "../../verify/peers/comparison.ts";
import { readFaults } from "../../verify/peers/data.ts";
import { makeObjects } from "../../verify/peers/make-objects.ts";
import { arrange, formatObject } from "../../verify/peers/write-files.ts";
import { createRandom } from "../../verify/schema/random/random.ts";

const make = (seed: number) => {
  const random = createRandom(seed);
  const objects = makeObjects(random, 300);
  return { objects, files: arrange(objects, random) };
};

test("plants each fault once, one in a file, and the same for a seed", () => {
  const { objects, files } = make(3);
  const planted = objects.filter((one) => one.planted !== undefined);
  const kinds = readFaults();
  assert.equal(
    planted.length,
    kinds.reduce((sum, { plants }) => sum + plants.length, 0),
  );
  assert.ok(planted.length >= 100 && objects.length >= 300);
  for (const { name, objects: held } of files)
    assert.ok(held.filter((one) => one.planted !== undefined).length <= 1, name);
  assert.equal(
    files.reduce((sum, file) => sum + file.objects.length, 0),
    objects.length,
  );
  assert.deepEqual(make(3).files, files);
  assert.notDeepEqual(make(4).files, files);
});

test("a repeated field stands before the one that counts", () => {
  const text = formatObject({ object: { a: { b: 1 } }, repeat: { key: "b", value: 2 } });
  assert.equal(text, "a:\n  b: 2\n  b: 1\n");
  assert.notEqual(parseDocuments(text).kind, "documents");
  assert.throws(() => formatObject({ object: { a: 1 }, repeat: { key: "b", value: 2 } }), /no b to repeat/);
});

test("counts a finding without a name for the fault of its file, and everything else as false", () => {
  const planted = { fault: "kind", asks: "kind", truth: "refused", change: "" } as const;
  const named = (name: string) => ({ object: { kind: "A", metadata: { name } } });
  const files = [
    { name: "1", text: "", objects: [named("a"), { ...named("b"), planted }] },
    { name: "2", text: "", objects: [named("c")] },
  ];
  const found = score(files, [{ file: "1" }, { file: "1", name: "a" }, { file: "2" }]);
  assert.deepEqual([...found.found], [["kind", 1]]);
  assert.deepEqual(found.missed, []);
  assert.deepEqual(found.wrong, ["1: a", "2: a whole file"]);
  assert.deepEqual(score(files, []).missed, ["1: kind: A b: "]);
});
