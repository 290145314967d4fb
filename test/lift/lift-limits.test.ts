import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Json, type JsonObject, listAt, textAt } from "../../src/model/json.ts";
import {
  clusterVersion,
  conditional,
  buildSampleDocument,
  foreign,
  liftSample,
  risk,
  formatConditions,
  findUpdate,
  listVersions,
} from "../../verify/operator/status-sample.ts";

function names(value: Json | undefined): readonly string[] {
  return listAt(value, "risks").map((one) => textAt(one, "name") ?? "");
}

describe("the limits of ClusterVersion", () => {
  const many = (count: number, prefix: string): readonly JsonObject[] =>
    Array.from({ length: count }, (_, i) => foreign(`${prefix}${String(i).padStart(3, "0")}`));

  test("keep the entries of others: risks beyond the limit are counted in one risk and reported by name", () => {
    const theirs = many(197, "X");
    const update = conditional("5.2.0", theirs, { status: "False", reason: "MultipleReasons", message: "Many." });
    const start = clusterVersion({ available: [], conditional: [update], union: theirs });
    const risks = [risk("A"), risk("B", { blind: true }), risk("C"), risk("D")];
    const now = liftSample({ clusterVersion: start, document: buildSampleDocument(risks) });
    const shown = names(findUpdate(now.status, "5.2.0"));
    assert.equal(shown.length, 200);
    assert.deepEqual(shown.slice(0, 3), ["A", "C", "PreflightFurtherRisks"]);
    assert.equal(formatConditions(now)[1], "PreflightCompleted=True NoRoom");
    assert.match(now.conditions[1]?.message ?? "", /D and B\./);
    const full = conditional("5.2.0", many(200, "X"), { status: "False", reason: "MultipleReasons", message: "Many." });
    const crowded = liftSample({
      clusterVersion: clusterVersion({ available: [], conditional: [full], union: many(200, "X") }),
      document: buildSampleDocument(risks),
    });
    assert.equal(names(findUpdate(crowded.status, "5.2.0")).length, 200);
    assert.equal(formatConditions(crowded)[1], "PreflightCompleted=True NoRoom");
  });

  test("hold at most 15 risks of an administrator's checks", () => {
    const own = Array.from({ length: 17 }, (_, i) => risk(`SiteRisk${String(i).padStart(2, "0")}`));
    const lifted = liftSample({ clusterVersion: clusterVersion(), document: buildSampleDocument([risk("A"), ...own]) });
    const shown = names(findUpdate(lifted.status, "5.2.0"));
    assert.equal(shown.length, 17);
    assert.deepEqual(shown.slice(0, 3), ["A", "PreflightFurtherRisks", "SiteRisk00"]);
    assert.match(lifted.conditions[1]?.message ?? "", /SiteRisk15 and SiteRisk16\./);
  });

  test("are 500 risks over all updates", () => {
    const updates = ["5.1.1", "5.1.2", "5.1.3"].map((version, i) =>
      conditional(version, many(i < 2 ? 200 : 98, `X${i}N`), {
        status: "False",
        reason: "MultipleReasons",
        message: "Many.",
      }),
    );
    const union = [...many(200, "X0N"), ...many(200, "X1N"), ...many(98, "X2N")];
    const start = clusterVersion({ conditional: updates, union });
    const now = liftSample({ clusterVersion: start, document: buildSampleDocument([risk("A"), risk("B"), risk("C")]) });
    assert.equal(listAt(now.status, "conditionalUpdateRisks").length, 500);
    assert.deepEqual(names(findUpdate(now.status, "5.2.0")), ["A", "PreflightFurtherRisks"]);
  });

  test("are 500 conditional updates", () => {
    const updates = Array.from({ length: 500 }, (_, i) =>
      conditional(`5.1.${i}`, [foreign("Theirs")], { status: "False", reason: "Theirs", message: "It hurts." }),
    );
    const start = clusterVersion({ conditional: updates, union: [foreign("Theirs")] });
    const now = liftSample({ clusterVersion: start, document: buildSampleDocument([risk("A")]) });
    assert.equal(listAt(now.status, "conditionalUpdates").length, 500);
    assert.deepEqual(listVersions(now.status, "availableUpdates"), ["5.2.0"]);
    assert.equal(formatConditions(now)[1], "PreflightCompleted=True NoRoom");
  });

  test("are 32,768 characters of a condition, even if another source's text alone is longer", () => {
    const long = { ...foreign("Theirs"), message: "😀".repeat(40_000) };
    const update = conditional("5.2.0", [long], { status: "False", reason: "Theirs", message: "Long." });
    const start = clusterVersion({ available: [], conditional: [update], union: [long] });
    const now = liftSample({ clusterVersion: start, document: buildSampleDocument([risk("Zulu")]) });
    const message = textAt(findUpdate(now.status, "5.2.0"), "conditions", 0, "message") ?? "";
    assert.ok([...message].length <= 32_768);
    assert.match(message, /And 1 more of the preflight: see risks\.$/);
  });
});
