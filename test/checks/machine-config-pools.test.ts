import assert from "node:assert/strict";
import { test } from "node:test";
import { parseMaxUnavailable } from "../../src/checks/machine-config-pools/max-unavailable.ts";
import type { Json } from "../../src/model/json.ts";

test("reads how many nodes may be unavailable as the machine-config operator does", () => {
  const values: readonly (readonly [Json | undefined, number])[] = [
    [undefined, 1],
    [null, 1],
    [0, 1],
    [1, 1],
    [7, 7],
    ["0%", 1],
    ["10%", 1],
    ["34%", 3],
    ["+50%", 5],
    ["100%", 10],
    ["200%", 20],
  ];
  for (const [value, nodes] of values)
    assert.deepEqual(parseMaxUnavailable(value, 10), { kind: "nodes", nodes }, JSON.stringify(value));
});

test("knows the values with which no node is ever updated", () => {
  for (const value of [-1, 1.5, "-10%", "", "%", "5", "10 %", "all", true, [1], {}])
    assert.equal(parseMaxUnavailable(value, 10).kind, "unusable", JSON.stringify(value));
});
