import assert from "node:assert/strict";
import { test } from "node:test";
import { readHeap } from "../../verify/bench/heap-figures.ts";

const META = { node_fields: ["type", "name", "self_size"], node_types: [["hidden", "string", "object", "code"]] };

test("what a program holds is told from what V8 knows of its code", () => {
  const nodes = [
    [0, 0, 1],
    [1, 0, 20],
    [2, 0, 300],
    [3, 0, 4_000],
  ].flat();
  assert.deepEqual(readHeap(JSON.stringify({ snapshot: { meta: META }, nodes })), { objects: 320, code: 4_001 });
});

test("a heap that is not whole yet is none", () => {
  assert.throws(() => readHeap('{"snapshot":{"meta":{'), SyntaxError);
});
