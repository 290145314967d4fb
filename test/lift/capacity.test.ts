import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isUnknownRisk, remainingCapacity, selectRisks } from "../../src/lift/risk-merge.ts";
import { nameOf } from "../../src/lift/objects/cluster-version.ts";
import { type JsonObject, at, textAt } from "../../src/model/json.ts";

const VERSIONS = { source: "5.0.3", target: "5.2.0" };

function many(count: number, prefix: string): readonly JsonObject[] {
  return Array.from({ length: count }, (_, i) => ({ name: `${prefix}${i}` }));
}

function update(version: string, risks: readonly JsonObject[]): JsonObject {
  return { release: { version }, risks };
}

function risk(name: string, time?: string, reason = "PreflightValidation"): JsonObject {
  const times: JsonObject = time === undefined ? {} : { lastTransitionTime: time };
  return { name, conditions: [{ type: "Applies", status: "True", reason, ...times }] };
}

function blind(name: string): JsonObject {
  return risk(name, "2026-01-05T00:00:00Z", "PreflightPartial");
}

describe("the room of a version", () => {
  const full = Array.from({ length: 500 }, (_, i) => update(`5.1.${i}`, []));
  const rows: readonly (readonly [string, readonly JsonObject[], readonly JsonObject[], number])[] = [
    ["is 200 risks of an update", [], [], 200],
    ["is what other risks of the update leave", [update("5.2.0", many(197, "A"))], [], 3],
    ["is none if others took all of it", [update("5.2.0", many(201, "A"))], [], 0],
    ["is what 500 names of all updates leave", [update("5.1.0", many(200, "A"))], many(298, "B"), 2],
    ["counts a name once", [update("5.1.0", many(200, "A"))], [...many(298, "B"), ...many(150, "A")], 2],
    ["is none beyond 500 names", [], many(501, "B"), 0],
    ["is there in the 500th update", full.slice(1), [], 200],
    ["is none in a further update", full, [], 0],
    ["is there in one of 500 updates", [...full.slice(1), update("5.2.0", many(1, "A"))], [], 199],
  ];
  for (const [what, conditional, others, room] of rows) {
    test(what, () => {
      assert.equal(remainingCapacity("5.2.0", { available: [], conditional }, others), room);
    });
  }
});

describe("risks that don't fit", () => {
  test("are all kept while there is room, in their order", () => {
    const risks = [blind("A"), risk("B"), risk("C")];
    assert.deepEqual(selectRisks(risks, 3, VERSIONS, "versions"), { kept: risks, omitted: [] });
  });

  test("are the last ones and the unknown ones, and one risk counts them", () => {
    const risks = [blind("A"), risk("B"), risk("PreflightFurtherRisks"), risk("C"), risk("D")];
    const rows = [0, 1, 2, 4].map((capacity) => {
      const { kept, omitted } = selectRisks(risks, capacity, VERSIONS, "versions");
      return [capacity, kept.map(nameOf), omitted];
    });
    assert.deepEqual(rows, [
      [0, [], ["B", "PreflightFurtherRisks", "C", "D", "A"]],
      [1, ["PreflightFurtherRisks"], ["B", "C", "D", "A"]],
      [2, ["B", "PreflightFurtherRisks"], ["C", "D", "A"]],
      [4, ["B", "C", "D", "PreflightFurtherRisks"], ["A"]],
    ]);
  });

  test("apply since the first of them, as far as that is known", () => {
    const risks = [risk("A"), risk("B", "2026-01-03T00:00:00Z"), risk("C", "2026-01-02T00:00:00Z"), risk("D")];
    const [further] = selectRisks(risks, 1, VERSIONS, "versions").kept;
    assert.deepEqual(further, {
      name: "PreflightFurtherRisks",
      message:
        "5.0.3 -> 5.2.0: 4 more risks of this preflight exceed ClusterVersion's limits. The document lists them all.",
      url: "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/updating_clusters/index",
      matchingRules: [{ type: "Always" }],
      conditions: [
        {
          type: "Applies",
          status: "True",
          reason: "PreflightValidation",
          message: "",
          lastTransitionTime: "2026-01-02T00:00:00Z",
        },
      ],
    });
    const [untimed] = selectRisks([risk("A"), risk("D")], 1, VERSIONS, "proposal").kept;
    assert.match(textAt(untimed, "message") ?? "", /^Preflight=5\.2\.0: 2 more risks /);
    assert.deepEqual(at(untimed, "conditions"), [
      { type: "Applies", status: "True", reason: "PreflightValidation", message: "" },
    ]);
  });

  test("are those that a partial check reports", () => {
    assert.deepEqual([risk("A"), blind("B"), { name: "C" }].map(isUnknownRisk), [false, true, false]);
  });
});
