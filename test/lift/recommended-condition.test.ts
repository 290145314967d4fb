import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { buildRecommendedCondition } from "../../src/lift/update-conditions.ts";
import { getDefinitionKey } from "../../src/lift/risk-merge.ts";
import type { JsonObject } from "../../src/model/json.ts";

const NOW = new Date("2026-03-01T12:00:00Z");

type Row = readonly [string, readonly string[], Readonly<Record<string, string>>, string];

function describeUpdate(names: readonly string[], statuses: Readonly<Record<string, string>>): string {
  const risks = names.map((name) => ({ name, message: `${name} hurts.`, url: "https://example.com/" }));
  const applies = new Map(
    risks.flatMap((risk): readonly (readonly [string, JsonObject])[] => {
      const status = statuses[risk.name]?.replace("accepted", "True");
      return status === undefined ? [] : [[getDefinitionKey(risk), { status, message: `${risk.name} is unclear.` }]];
    }),
  );
  const accepted = new Set(names.filter((name) => statuses[name] === "accepted"));
  const { status, reason, message } = buildRecommendedCondition({ risks }, applies, accepted, NOW);
  return `${status} ${reason}: ${message}`;
}

describe("an update is", () => {
  const clear = "True NotExposedToRisks: No risk of this update applies to this cluster, so it is recommended.";
  const accepted =
    "True AllExposedRisksAccepted: Every risk of this update that applies to this cluster is accepted, so it is recommended.";
  const rows: readonly Row[] = [
    ["recommended without risks", [], {}, clear],
    ["recommended if none applies", ["A", "B"], { A: "False", B: "False" }, clear],
    ["recommended if all that apply are accepted", ["A", "B"], { A: "accepted", B: "False" }, accepted],
    ["not recommended for one that applies", ["A"], { A: "True" }, "False A: A hurts. https://example.com/"],
    [
      "not recommended for several that apply",
      ["A", "B"],
      { A: "True", B: "True" },
      "False MultipleReasons: A hurts. https://example.com/\n\nB hurts. https://example.com/",
    ],
    [
      "not recommended for one behind an accepted one",
      ["A", "B"],
      { A: "accepted", B: "True" },
      "False B: B hurts. https://example.com/",
    ],
    [
      "not recommended for one before an accepted one",
      ["A", "B"],
      { A: "True", B: "accepted" },
      "False MultipleReasons: A hurts. https://example.com/",
    ],
    ["unknown with one that is", ["A"], { A: "Unknown" }, "Unknown EvaluationFailed: A is unclear."],
    [
      "not recommended if one applies and one is unknown",
      ["A", "B"],
      { A: "Unknown", B: "True" },
      "False MultipleReasons: A is unclear.\n\nB hurts. https://example.com/",
    ],
    [
      "unknown if two are",
      ["A", "B"],
      { A: "Unknown", B: "Unknown" },
      "Unknown EvaluationFailed: A is unclear.\n\nB is unclear.",
    ],
    [
      "unknown with one whose condition is absent",
      ["A"],
      {},
      "Unknown EvaluationFailed: It is unknown whether A applies. A hurts. https://example.com/",
    ],
  ];
  for (const [what, names, statuses, expected] of rows) {
    test(what, () => {
      assert.equal(describeUpdate(names, statuses), expected);
    });
  }

  test("not recommended by the name of the risk if it is a valid reason", () => {
    const names = ["A", "AB", "a", "A_", "A1,b:C", "A:", "A-b", "1A", "A.b", "ABC:d,"];
    const reasons = names.map((name) =>
      describeUpdate([name], { [name]: "True" })
        .split(": ")[0]
        ?.slice(6),
    );
    const invalid = "ExposedToRisks";
    assert.deepEqual(reasons, ["A", "AB", "a", "A_", "A1,b:C", invalid, invalid, invalid, invalid, invalid]);
  });
});
