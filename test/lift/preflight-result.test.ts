import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { LiftResult } from "../../src/lift/lift.ts";
import { buildResultConfigMap, withKnownTimes } from "../../src/lift/preflight-result.ts";
import { type Json, type JsonObject, at, listAt, objectAt, parseObject, textAt } from "../../src/model/json.ts";

const OURS = { name: "Ours", message: "o" };
const THEIRS = { name: "Theirs", message: "t" };

function result(risks: readonly JsonObject[], change: Partial<LiftResult> = {}): LiftResult {
  const update = { release: { version: "5.2.0" }, riskNames: risks.map(({ name }) => name ?? null), risks };
  const other = { release: { version: "5.1.0" }, risks: [{ name: "Other" }] };
  return {
    status: { conditionalUpdates: [other, null, update], conditionalUpdateRisks: [...risks, { name: "Other" }, null] },
    conditions: [],
    problems: [],
    retained: { source: "5.0.3", target: "5.2.0", risks: [OURS] },
    ...change,
  };
}

function readProposal(of: LiftResult, present?: JsonObject): JsonObject {
  return parseObject(textAt(buildResultConfigMap(of, undefined, present), "data", "proposal.json") ?? "") ?? {};
}

function names(value: Json | undefined, list: string): readonly string[] {
  return listAt(value, list).map((one) => textAt(one, "name") ?? "-");
}

describe("the proposal", () => {
  test("has what the status says of the target alone", () => {
    assert.deepEqual(readProposal(result([OURS, THEIRS])), {
      conditionalUpdates: [{ release: { version: "5.2.0" }, riskNames: ["Ours", "Theirs"], risks: [OURS, THEIRS] }],
      conditionalUpdateRisks: [OURS, THEIRS],
      conditions: [],
      problems: [],
    });
  });

  test("leaves out the texts of others beyond 200,000 characters, but not their names", () => {
    const long = (extra: number): JsonObject => ({ ...THEIRS, message: "x".repeat(extra) });
    const build = (extra: number): LiftResult =>
      result([OURS, long(extra)], {
        status: {
          conditionalUpdates: [
            { release: { version: "5.2.0" }, riskNames: ["Ours", "Theirs"], risks: [OURS, long(extra)] },
          ],
        },
      });
    const empty = `${JSON.stringify(readProposal(build(0)), undefined, 2)}\n`.length;
    const shown = [200_000 - empty, 200_001 - empty].map((extra) =>
      at(readProposal(build(extra)), "conditionalUpdates", 0),
    );
    assert.deepEqual(
      shown.map((update) => [names(update, "risks"), at(update, "riskNames")]),
      [
        [
          ["Ours", "Theirs"],
          ["Ours", "Theirs"],
        ],
        [["Ours"], ["Ours", "Theirs"]],
      ],
    );
    const listed = readProposal(result([OURS, long(200_000)]));
    assert.deepEqual(names(listed, "conditionalUpdateRisks"), ["Ours"]);
  });

  test("keeps the times of the published one", () => {
    const timed = (time: string): LiftResult =>
      result([], { conditions: [{ type: "A", status: "True", reason: "R", message: "", lastTransitionTime: time }] });
    const published = buildResultConfigMap(timed("10:00"), undefined);
    assert.deepEqual(at(readProposal(timed("10:05"), published), "conditions", 0, "lastTransitionTime"), "10:00");
    assert.deepEqual(at(readProposal(timed("10:05")), "conditions", 0, "lastTransitionTime"), "10:05");
  });

  test("stands alone if there is no result and no document", () => {
    const { retained: _, ...none } = result([]);
    const configMap = buildResultConfigMap(none, undefined);
    assert.deepEqual(Object.keys(objectAt(configMap, "data")), ["proposal.json"]);
    assert.deepEqual(textAt(configMap, "metadata", "name"), "preflight-result");
  });
});

describe("a known time", () => {
  const known = { type: "A", status: "True", lastTransitionTime: "10:00" };
  const rows: readonly (readonly [string, Json, Json | undefined, Json])[] = [
    ["stays with the same status", { ...known, lastTransitionTime: "10:05" }, known, known],
    [
      "ends with another status",
      { ...known, status: "False" },
      { ...known, lastTransitionTime: "09:00" },
      { ...known, status: "False" },
    ],
    ["is not added to what has none", { type: "A", status: "True" }, known, { type: "A", status: "True" }],
    ["is none if the known one has none", known, { type: "A", status: "True" }, known],
    ["is none in another kind of value", [known], { 0: { ...known, lastTransitionTime: "09:00" } }, [known]],
    [
      "is found by a version",
      [{ release: { version: "1" }, a: { ...known, lastTransitionTime: "10:05" } }],
      [{ release: { version: "2" } }, { release: { version: "1" }, a: known }],
      [{ release: { version: "1" }, a: known }],
    ],
    [
      "is found by a name",
      [{ name: "n", ...known, lastTransitionTime: "10:05" }],
      [{ name: "m", ...known }],
      [{ name: "n", ...known, lastTransitionTime: "10:05" }],
    ],
    ["leaves texts and numbers", ["a", 1, null], ["b", 2], ["a", 1, null]],
  ];
  for (const [what, next, before, expected] of rows) {
    test(what, () => {
      assert.deepEqual(withKnownTimes(next, before), expected);
    });
  }
});
