import assert from "node:assert/strict";
import { test } from "node:test";
import { type MarkForm, formatMark, isPreflightRisk, parseMark } from "../../src/model/cluster-version-risks.ts";

const VERSIONS = { source: "5.0.3", target: "5.1.0-rc.2" };
const FORMS: readonly MarkForm[] = ["versions", "proposal", "alert"];

for (const form of FORMS)
  test(`what is written as ${form} is read as ours`, () => {
    const mark = formatMark(VERSIONS, form);
    const parsed = parseMark(`${mark}A drain is blocked.`);
    assert.equal(parsed?.target, VERSIONS.target);
    assert.equal(parsed?.source, form === "proposal" ? undefined : VERSIONS.source);
    assert.equal(parsed?.by, form === "alert" ? "alert" : "controller");
    assert.equal(parsed?.length, mark.length);
    assert.ok(isPreflightRisk({ name: "DrainBlocked", message: `${mark}A drain is blocked.` }));
  });

test("an alert about the runner is ours by its name", () => {
  assert.ok(isPreflightRisk({ name: "PreflightRisksTooMany", message: "The preflight has found more than 50 risks." }));
});

for (const message of [
  "Nodes are down.",
  "Preflight: this cluster is not ready.",
  "Since 5.0.3 -> 5.1.0: nodes are down.",
  "from -> to: nodes are down.",
  "from -> 5.1.0: nodes are down.",
  "Preflight of 5.0.3 -> to: nodes are down.",
  "5.0.3 -> 5.1.0 nodes are down.",
  "Preflight=later: nodes are down.",
])
  test(`"${message}" is somebody else's`, () => {
    assert.equal(isPreflightRisk({ name: "NodesDown", message }), false);
  });
