import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { exposuresOf, presentExposures } from "../../src/lift/exposure.ts";
import { recommendedOf } from "../../src/lift/recommended.ts";
import { type JsonObject, objectAt, textAt } from "../../src/model/json.ts";
import { foreign, lifted, documentOf, NOW, risk, updateTo } from "./sample.ts";

const EARLIER = "2026-02-01T00:00:00Z";

function ruled(name: string, conditions: readonly JsonObject[]): JsonObject {
  const plain = { name, message: `${name} hurts.`, url: "https://example.com/", matchingRules: [{ type: "Always" }] };
  return conditions.length > 0 ? { ...plain, conditions } : plain;
}

function applies(status: string, reason: string): JsonObject {
  return { type: "Applies", status, reason, message: "As the source says.", lastTransitionTime: EARLIER };
}

/** "True Match 2026-..." of a risk with the rule Always. */
function exposure(one: JsonObject, present: readonly JsonObject[] = []): string {
  const [found] = exposuresOf({ risks: [one] }, presentExposures(present), NOW).values();
  return ["status", "reason", "message", "lastTransitionTime"].map((key) => textAt(found, key)).join("|");
}

function recommended(names: readonly string[], accepted: readonly string[]): string {
  const update = { risks: names.map((name) => ruled(name, [])) };
  const { status, reason } = recommendedOf(update, exposuresOf(update, new Map(), NOW), new Set(accepted), NOW);
  return `${status} ${reason}`;
}

describe("Applies under the rule Always", () => {
  test("is a match where the source says nothing, or anything but True", () => {
    const match = "True|Match||2026-03-01T12:00:00Z";
    assert.equal(exposure(ruled("A", [])), match);
    assert.equal(exposure(ruled("A", [applies("Unknown", "Partial")])), match);
    assert.equal(exposure(ruled("A", [applies("False", "Partial")])), match);
  });

  test("is in the source's own words where it says True, with the time that stands", () => {
    assert.equal(
      exposure(ruled("A", [applies("True", "Alert:firing")])),
      `True|Alert:firing|As the source says.|${EARLIER}`,
    );
    const present = { ...applies("True", "Match"), lastTransitionTime: "2026-01-15T00:00:00Z" };
    assert.match(exposure(ruled("A", [applies("True", "Own")]), [ruled("A", [present])]), /2026-01-15T00:00:00Z$/);
    assert.match(exposure(ruled("A", []), [ruled("A", [present])]), /2026-01-15T00:00:00Z$/);
    const untimed = { type: "Applies", status: "True", reason: "Own", message: "" };
    assert.equal(exposure(ruled("A", [untimed])), "True|Own||2026-03-01T12:00:00Z");
  });

  test("of a document's risk without conditions is a match", () => {
    const { conditions: _, ...plain } = risk("A");
    const { status } = lifted({ document: documentOf([plain]) });
    const condition = {
      type: "Applies",
      status: "True",
      reason: "Match",
      message: "",
      lastTransitionTime: "2026-03-01T12:00:00Z",
    };
    assert.deepEqual(
      objectAt({ update: updateTo(status, "5.2.0") ?? null }, "update", "risks", 0, "conditions", 0),
      condition,
    );
  });
});

test("Applies of a query that nobody answered is unknown", () => {
  const { conditions: _, ...plain } = foreign("Theirs");
  assert.match(exposure(plain), /^Unknown\|EvaluationFailed\|Whether Theirs applies is not known\./);
});

test("Recommended has the operator's reasons", () => {
  assert.equal(recommended([], []), "True NotExposedToRisks");
  assert.equal(recommended(["A"], []), "False A");
  assert.equal(recommended(["A-b"], []), "False ExposedToRisks");
  assert.equal(recommended(["A-b", "A-c"], []), "False ExposedToRisks");
  assert.equal(recommended(["A", "B"], []), "False MultipleReasons");
  assert.equal(recommended(["A", "B"], ["A", "B"]), "True AllExposedRisksAccepted");
  assert.equal(recommended(["A", "B"], ["A"]), "False B");
  // One risk is weighed after the other, so an accepted one behind another counts.
  assert.equal(recommended(["A", "B"], ["B"]), "False MultipleReasons");
});

test("Recommended of 40 risks of 1,000 characters is one that the API takes", () => {
  const risks = Array.from({ length: 40 }, (_, i) => ({ ...ruled(`A${i}`, []), message: "é".repeat(1_000) }));
  const update = { risks };
  const { message } = recommendedOf(update, exposuresOf(update, new Map(), NOW), new Set(), NOW);
  assert.ok([...message].length <= 32_768);
  assert.match(message, /And \d+ more: see riskNames\.$/);
});
