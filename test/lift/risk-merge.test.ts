import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonObject } from "../../src/model/json.ts";
import { mergeRisks } from "../../src/lift/risk-merge.ts";
import { type ClusterUpdates, nameOf, risksOf, versionOf } from "../../src/lift/objects/cluster-version.ts";
import { deepFreeze } from "../../src/cases/runner.ts";

function release(version: string): JsonObject {
  return { version, image: `example/${version}` };
}

function risk(name: string, message = "It hurts."): JsonObject {
  return { name, message, url: "https://example.com/", matchingRules: [{ type: "Always" }] };
}

function buildUpdates(
  available: readonly string[],
  conditional: Readonly<Record<string, readonly JsonObject[]>>,
): ClusterUpdates {
  const updates = Object.entries(conditional).map(([version, risks]) => ({ release: release(version), risks }));
  return deepFreeze<ClusterUpdates>({ available: available.map(release), conditional: updates });
}

/** "5.2.0 A B" for each conditional update. */
function formatUpdates({ conditional }: ClusterUpdates): readonly string[] {
  return conditional.map((update) => [versionOf(update), ...risksOf(update).map(nameOf)].join(" "));
}

describe("merging", () => {
  test("moves releases from available to conditional, adds to existing conditional updates, and sorts both", () => {
    const merged = mergeRisks(
      buildUpdates(["5.1.2", "5.1.10"], { "5.2.0": [risk("Zed")], "5.1.9": [] }),
      [risk("Lift"), risk("Alpha")],
      new Map([
        ["Lift", ["5.2.0", "5.1.10"]],
        ["Alpha", ["5.2.0"]],
      ]),
    );
    assert.deepEqual(merged.problems, []);
    assert.deepEqual(formatUpdates(merged.updates), ["5.1.9", "5.1.10 Lift", "5.2.0 Alpha Lift Zed"]);
    assert.deepEqual(merged.updates.available, [release("5.1.2")]);
  });

  test("gives the same result when repeated", () => {
    const versions = new Map([["Lift", ["5.1.2", "5.2.0"]]]);
    const once = mergeRisks(buildUpdates(["5.1.2"], { "5.2.0": [risk("Zed")] }), [risk("Lift")], versions);
    const twice = mergeRisks(once.updates, [risk("Lift")], versions);
    assert.deepEqual(twice, once);
  });

  test("drops an invalid name and reports it", () => {
    for (const name of ["", "lower", "A_b", "1A", "A b", "Ü"]) {
      const merged = mergeRisks(buildUpdates(["5.2.0"], {}), [risk(name)], new Map([[name, ["5.2.0"]]]));
      assert.deepEqual(merged.problems, [{ kind: "invalidName", risk: name }]);
      assert.deepEqual(formatUpdates(merged.updates), []);
      assert.equal(merged.updates.available.length, 1);
    }
  });

  test("accepts a name with a hyphen or a dot, as the operator does since 4.23", () => {
    const merged = mergeRisks(buildUpdates(["5.2.0"], {}), [risk("A-b.c")], new Map([["A-b.c", ["5.2.0"]]]));
    assert.deepEqual([merged.problems, formatUpdates(merged.updates)], [[], ["5.2.0 A-b.c"]]);
  });

  test("keeps the first of two new texts with the same name", () => {
    const risks = [risk("A", "One."), risk("A", "Two."), { ...risk("A", "One."), conditions: [{ type: "Applies" }] }];
    const merged = mergeRisks(buildUpdates(["5.2.0"], {}), risks, new Map([["A", ["5.2.0"]]]));
    assert.deepEqual(merged.problems, [{ kind: "divergent", risk: "A" }]);
    assert.deepEqual(risksOf(merged.updates.conditional[0] ?? {}), [risk("A", "One.")]);
  });

  test("keeps the existing text if another arrives with the same name", () => {
    const merged = mergeRisks(
      buildUpdates([], { "5.2.0": [risk("A", "Theirs.")] }),
      [risk("A", "Ours.")],
      new Map([["A", ["5.2.0"]]]),
    );
    assert.deepEqual(merged.problems, [{ kind: "divergent", risk: "A", version: "5.2.0" }]);
    assert.deepEqual(risksOf(merged.updates.conditional[0] ?? {}), [risk("A", "Theirs.")]);
  });

  test("reports a version that is not offered, and a risk without a text", () => {
    const versions = new Map([
      ["A", ["5.9.0"]],
      ["B", ["5.2.0"]],
    ]);
    const merged = mergeRisks(buildUpdates(["5.2.0"], {}), [risk("A")], versions);
    assert.deepEqual(merged.problems, [
      { kind: "unknownVersion", risk: "A", version: "5.9.0" },
      { kind: "unknownRisk", risk: "B" },
    ]);
    assert.deepEqual(merged.updates, buildUpdates(["5.2.0"], {}));
  });

  test("sorts an invalid version before all others", () => {
    const merged = mergeRisks(
      buildUpdates([], { "5.2.0": [], "4.23.0": [], nightly: [], "5.2.0-rc.1": [] }),
      [],
      new Map(),
    );
    assert.deepEqual(formatUpdates(merged.updates), ["nightly", "4.23.0", "5.2.0-rc.1", "5.2.0"]);
  });
});
