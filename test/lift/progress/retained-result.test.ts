import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { RetainedResult } from "../../../src/lift/progress/retained-result.ts";
import {
  buildRetainedResult,
  parseRetainedResult,
  selectRetainedResult,
} from "../../../src/lift/progress/retained-result.ts";
import { type JsonObject, at, textAt } from "../../../src/model/json.ts";
import { buildSampleDocument, risk } from "../../../verify/operator/status-sample.ts";
import { present } from "../../support/present.ts";

const VERSIONS = { source: "5.0.3", target: "5.2.0" };
const RETAINED: RetainedResult = { ...VERSIONS, image: "example/a", risks: [{ name: "A" }] };

function shown(name: string, prefix: string): JsonObject {
  return { name, message: `${prefix}${name}.`, matchingRules: [{ type: "Always" }] };
}

describe("the retained result", () => {
  const ours = shown("A", "5.0.3 -> 5.2.0: ");
  const byProposal = shown("B", "Preflight=5.2.0: ");
  const other = shown("C", "5.0.3 -> 5.1.0: ");
  const older = shown("D", "5.0.2 -> 5.2.0: ");
  const theirs = shown("E", "");
  const updates = {
    available: [],
    conditional: [{ risks: [ours, theirs, other] }, { risks: [older, byProposal, { ...ours, url: "second" }] }],
  };

  test("counts for its own versions and image, and for no others", () => {
    const none = { available: [], conditional: [] };
    const rows: readonly (readonly [string, string, string | undefined, RetainedResult | undefined])[] = [
      ["5.0.3", "5.2.0", "example/a", RETAINED],
      ["5.0.3", "5.2.0", undefined, RETAINED],
      ["5.0.3", "5.2.0", "example/b", undefined],
      ["5.0.2", "5.2.0", "example/a", undefined],
      ["5.0.3", "5.1.0", "example/a", undefined],
    ];
    for (const [source, target, image, expected] of rows)
      assert.deepEqual(selectRetainedResult({ source, target }, image, RETAINED, none), expected);
    assert.deepEqual(selectRetainedResult(VERSIONS, "example/b", RETAINED, updates), undefined);
  });

  test("that was lost is what ClusterVersion still shows of this update, each name once", () => {
    const found = selectRetainedResult(VERSIONS, undefined, undefined, updates);
    assert.deepEqual(
      found?.risks.map(({ name, url = null }) => [name, url]),
      [
        ["B", null],
        ["A", null],
      ],
    );
    assert.deepEqual(selectRetainedResult({ source: "5.0.2", target: "5.2.0" }, undefined, RETAINED, updates)?.risks, [
      older,
      byProposal,
    ]);
  });

  test("of a document has times of the last one as far as the risks applied", () => {
    const previous = {
      ...VERSIONS,
      recommended: { type: "Recommended" },
      risks: [
        { name: "A", conditions: [{ type: "Applies", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" }] },
        { name: "B", conditions: [{ type: "Applies", status: "False", lastTransitionTime: "2026-01-01T00:00:00Z" }] },
      ],
    };
    const { conditions: _, ...bare } = risk("C");
    const built = buildRetainedResult(buildSampleDocument([risk("A"), risk("B"), bare]), {
      versions: VERSIONS,
      image: "example/a",
      form: "versions",
      previous,
      now: new Date("2026-03-01T12:00:00Z"),
    });
    const times = built.risks.map((one) => textAt(one, "conditions", 0, "lastTransitionTime"));
    assert.deepEqual(times, ["2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z", "2026-03-01T12:00:00Z"]);
    assert.deepEqual(at(built.risks[2], "conditions", 0), {
      type: "Applies",
      status: "True",
      reason: "Match",
      message: "",
      lastTransitionTime: "2026-03-01T12:00:00Z",
    });
    const { risks: __, ...rest } = built;
    assert.deepEqual(rest, {
      ...VERSIONS,
      image: "example/a",
      observedAt: "2026-03-01T11:55:00Z",
      recommended: { type: "Recommended" },
    });
  });

  test("is parsed if it names both versions", () => {
    const whole = { ...RETAINED, observedAt: "2026-03-01T11:55:00Z", recommended: { type: "Recommended" } };
    assert.deepEqual(parseRetainedResult(JSON.stringify({ ...whole, more: 1 })), whole);
    const sparse = { ...VERSIONS, risks: [null, { name: "A" }], recommended: "yes", image: 7 };
    assert.deepEqual(present(parseRetainedResult(JSON.stringify(sparse))), { ...VERSIONS, risks: [{ name: "A" }] });
    for (const text of ["", "[]", '{"source":"5.0.3"}', '{"target":"5.2.0"}'])
      assert.equal(parseRetainedResult(text), undefined);
  });
});
