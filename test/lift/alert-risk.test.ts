import assert from "node:assert/strict";
import { test } from "node:test";
import { getAcceptedRisks } from "../../src/lift/objects/cluster-version.ts";
import { listAt } from "../../src/model/json.ts";
import {
  buildSampleDocument,
  clusterVersion,
  conditional,
  findUpdate,
  formatConditions,
  liftSample,
  risk,
} from "../../verify/operator/status-sample.ts";

const ALERT = {
  name: "A",
  message: "Preflight of 5.0.3 -> 5.2.0: A is wrong.",
  url: "https://example.com/A",
  matchingRules: [{ type: "Always" }],
};

test("an alert on a risk and the document's risk are one risk", () => {
  const update = conditional("5.2.0", [ALERT], { status: "False", reason: "A", message: ALERT.message });
  const start = clusterVersion({ available: [], conditional: [update], union: [ALERT] });
  const now = liftSample({ clusterVersion: start, document: buildSampleDocument([risk("A")]) });
  assert.equal(listAt(findUpdate(now.status, "5.2.0"), "risks").length, 1);
  assert.equal(formatConditions(now)[1], "PreflightCompleted=True RisksFound");
  assert.deepEqual(now.problems, []);
});

test("the former name of a risk's alert still accepts the risk", () => {
  const accepted = clusterVersion({ accepted: ["PreflightA", "Theirs", "Preflight"] });
  assert.deepEqual(getAcceptedRisks(accepted), ["PreflightA", "A", "Theirs", "Preflight"]);
});
