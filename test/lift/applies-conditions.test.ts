import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { evaluateRisks, indexAppliesConditions, buildRecommendedCondition } from "../../src/lift/update-conditions.ts";
import { type JsonObject, objectAt, textAt } from "../../src/model/json.ts";
import {
  foreign,
  liftSample,
  buildSampleDocument,
  NOW,
  risk,
  findUpdate,
} from "../../verify/operator/status-sample.ts";

const EARLIER = "2026-02-01T00:00:00Z";

function riskWith(name: string, conditions: readonly JsonObject[]): JsonObject {
  const plain = { name, message: `${name} hurts.`, url: "https://example.com/", matchingRules: [{ type: "Always" }] };
  return conditions.length > 0 ? { ...plain, conditions } : plain;
}

function applies(status: string, reason: string): JsonObject {
  return { type: "Applies", status, reason, message: "As the source says.", lastTransitionTime: EARLIER };
}

/** "True Match 2026-..." of a risk with the rule Always. */
function formatApplies(one: JsonObject, present: readonly JsonObject[] = []): string {
  const [condition] = evaluateRisks({ risks: [one] }, undefined, indexAppliesConditions(present), NOW).values();
  return ["status", "reason", "message", "lastTransitionTime"].map((key) => textAt(condition, key)).join("|");
}

function formatRecommended(names: readonly string[], accepted: readonly string[]): string {
  const update = { risks: names.map((name) => riskWith(name, [])) };
  const { status, reason } = buildRecommendedCondition(
    update,
    evaluateRisks(update, undefined, new Map(), NOW),
    new Set(accepted),
    NOW,
  );
  return `${status} ${reason}`;
}

describe("Applies under the rule Always", () => {
  test("is a match if the source reports nothing, or anything but True", () => {
    const match = "True|Match||2026-03-01T12:00:00Z";
    assert.equal(formatApplies(riskWith("A", [])), match);
    assert.equal(formatApplies(riskWith("A", [applies("Unknown", "Partial")])), match);
    assert.equal(formatApplies(riskWith("A", [applies("False", "Partial")])), match);
  });

  test("keeps the source's text if it reports True, and the existing time", () => {
    assert.equal(
      formatApplies(riskWith("A", [applies("True", "Alert:firing")])),
      `True|Alert:firing|As the source says.|${EARLIER}`,
    );
    const present = { ...applies("True", "Match"), lastTransitionTime: "2026-01-15T00:00:00Z" };
    assert.match(
      formatApplies(riskWith("A", [applies("True", "Own")]), [riskWith("A", [present])]),
      /2026-01-15T00:00:00Z$/,
    );
    assert.match(formatApplies(riskWith("A", []), [riskWith("A", [present])]), /2026-01-15T00:00:00Z$/);
    const untimed = { type: "Applies", status: "True", reason: "Own", message: "" };
    assert.equal(formatApplies(riskWith("A", [untimed])), "True|Own||2026-03-01T12:00:00Z");
  });

  test("is a match for a document's risk without conditions", () => {
    const { conditions: _, ...plain } = risk("A");
    const { status } = liftSample({ document: buildSampleDocument([plain]) });
    const condition = {
      type: "Applies",
      status: "True",
      reason: "Match",
      message: "",
      lastTransitionTime: "2026-03-01T12:00:00Z",
    };
    assert.deepEqual(
      objectAt({ update: findUpdate(status, "5.2.0") ?? null }, "update", "risks", 0, "conditions", 0),
      condition,
    );
  });
});

test("Applies is unknown for a query that nobody evaluated", () => {
  const { conditions: _, ...plain } = foreign("Theirs");
  assert.match(formatApplies(plain), /^Unknown\|EvaluationFailed\|It is unknown whether Theirs applies\./);
});

test("Applies follows from Recommended as the check conditional-updates reads it", () => {
  const [failed, exposed, other] = ["Failed", "Exposed", "Other"].map((name) => {
    const { conditions: _, ...plain } = foreign(name);
    return { ...plain, message: `${name} hurts.` };
  });
  const risks = [failed, exposed, other].flatMap((one) => one ?? []);
  const quote = (one: JsonObject | undefined) => `${textAt(one, "message") ?? ""} ${textAt(one, "url") ?? ""}`;
  const older = `Exposure to Failed is unknown due to an evaluation failure: throttled\n${quote(failed)}`;
  const evaluate = (message: string) => {
    const conditions = [{ type: "Recommended", status: "False", reason: "MultipleReasons", message }];
    const evaluated = evaluateRisks({ risks }, { risks, conditions }, new Map(), NOW);
    return [...evaluated.values()].map((condition) => textAt(condition, "status"));
  };
  assert.deepEqual(evaluate(`${older}\n\n${quote(exposed)}`), ["Unknown", "True", "False"]);
  assert.deepEqual(evaluate(`${quote(exposed)}\n\nAnother text.`), ["Unknown", "True", "Unknown"]);
});

test("Recommended uses the operator's reasons", () => {
  assert.equal(formatRecommended([], []), "True NotExposedToRisks");
  assert.equal(formatRecommended(["A"], []), "False A");
  assert.equal(formatRecommended(["A-b"], []), "False ExposedToRisks");
  assert.equal(formatRecommended(["A-b", "A-c"], []), "False ExposedToRisks");
  assert.equal(formatRecommended(["A", "B"], []), "False MultipleReasons");
  assert.equal(formatRecommended(["A", "B"], ["A", "B"]), "True AllExposedRisksAccepted");
  assert.equal(formatRecommended(["A", "B"], ["A"]), "False B");
  // The operator adds up risks in order, so an accepted risk that follows another one still counts.
  assert.equal(formatRecommended(["A", "B"], ["B"]), "False MultipleReasons");
});

test("the API accepts Recommended with 40 risks of 1,000 characters", () => {
  const risks = Array.from({ length: 40 }, (_, i) => ({ ...riskWith(`A${i}`, []), message: "é".repeat(1_000) }));
  const update = { risks };
  const { message } = buildRecommendedCondition(
    update,
    evaluateRisks(update, undefined, new Map(), NOW),
    new Set(),
    NOW,
  );
  assert.ok([...message].length <= 32_768);
  assert.match(message, /And \d+ more: see risks\.$/);
});
