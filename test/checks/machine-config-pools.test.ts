import assert from "node:assert/strict";
import { test } from "node:test";
import { parseMaxUnavailable } from "../../src/checks/shared/max-unavailable.ts";
import { isControlPlaneOnlyStep } from "../../src/checks/machine-config-pools/pool-verdict.ts";
import type { Json } from "../../src/model/json.ts";
import { parseVersion } from "../../src/model/version.ts";

test("parses maxUnavailable as the machine-config operator does", () => {
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

test("recognizes the values that prevent every node from being updated", () => {
  for (const value of [-1, 1.5, "-10%", "", "%", "5", "10 %", "all", true, [1], {}])
    assert.equal(parseMaxUnavailable(value, 10).kind, "unusable", JSON.stringify(value));
});

test("recognizes the later steps of a Control Plane Only update, across the change from 4 to 5", () => {
  const steps: readonly (readonly [string, string, boolean])[] = [
    ["4.18.5", "4.19.2", false],
    ["4.18.5", "4.20.2", false],
    ["4.19.5", "4.20.2", true],
    ["4.19.5", "4.21.2", false],
    ["4.21.5", "4.22.2", true],
    ["4.21.5", "5.0.2", false],
    ["4.22.5", "5.0.2", false],
    ["4.22.5", "4.23.2", false],
    ["4.23.5", "5.1.2", true],
    ["5.0.5", "5.1.2", true],
    ["5.0.5", "5.2.2", true],
    ["5.0.5", "5.3.2", false],
    ["5.1.5", "5.2.2", true],
    ["5.2.5", "5.3.2", false],
    ["5.3.5", "5.4.2", true],
  ];
  for (const [from, to, expected] of steps) {
    const [source, target] = [parseVersion(from), parseVersion(to)];
    assert.ok(source && target);
    assert.equal(isControlPlaneOnlyStep({ source, target }), expected, `${from} to ${to}`);
  }
});
