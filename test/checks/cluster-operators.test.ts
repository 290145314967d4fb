import assert from "node:assert/strict";
import { test } from "node:test";
import {
  formatReason,
  keepClusterOperator,
  keepRollout,
  type Rollout,
} from "../../src/checks/cluster-operators/cluster-operator.ts";
import {
  buildLagFindings,
  buildOperatorUnknowns,
  buildRolloutNotices,
  buildTransientNotices,
  buildUnhealthyFindings,
  buildEvaluationNotices,
  buildNotUpgradeableFindings,
  buildUndecidedNotices,
} from "../../src/checks/cluster-operators/check.ts";
import { buildContext } from "../../src/model/check.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { release, version } from "../support/fixtures.ts";
import { present } from "../support/present.ts";

const NOW = new Date("2026-03-01T12:00:00Z");
const UPDATE = buildContext(version("4.18.5"), release("4.19.2"), NOW);
const PATCH = buildContext(version("4.18.5"), release("4.18.6"), NOW);
const SHIPPED = { annotations: { "include.release.openshift.io/hypershift": "true" } };

function buildOperator(conditions: readonly JsonObject[], versionText = "4.18.5", metadata: JsonObject = SHIPPED) {
  const versions = [
    { name: "operand", version: "1.0" },
    { name: "operator", version: versionText },
  ];
  return keepClusterOperator({ metadata: { name: "dns", ...metadata }, status: { conditions, versions } });
}

test("quotes the first sentence of a message, in one line", () => {
  const table: readonly (readonly [reason: string, message: string, text: string])[] = [
    ["Why", "It is odd", 'Why, "It is odd"'],
    ["Why", "It is odd.", 'Why, "It is odd"'],
    ["Why", "It is odd?!", 'Why, "It is odd"'],
    ["Why", "It  is\n\nodd. More. ", 'Why, "It is odd…"'],
    ["Why", 'Version 4.19 is "odd"! More', "Why, \"Version 4.19 is 'odd'…\""],
    ["Why", "", "Why"],
    ["", "It is odd", '"It is odd"'],
    ["", " ", "no reason reported"],
    ["", "a".repeat(10), `"${"a".repeat(10)}"`],
    ["", "a".repeat(11), `"${"a".repeat(10)}…"`],
    ["", "aaaaaaaaa bc", '"aaaaaaaaa…"'],
  ];
  for (const [reason, message, text] of table)
    assert.equal(formatReason({ reason, message }, message.startsWith("a") ? 10 : undefined), text);
  assert.equal(formatReason({ reason: "", message: "a".repeat(241) }), `"${"a".repeat(240)}…"`);
});

test("keeps of an operator its version and the conditions that matter to an update", () => {
  const condition = { type: "Degraded", status: "True", reason: "Why", message: "a".repeat(1001) };
  const kept = buildOperator([
    { ...condition, lastTransitionTime: "2026-03-01T11:00:00Z" },
    { type: "Other", status: "True" },
  ]);
  const since = Date.parse("2026-03-01T11:00:00Z");
  const Degraded = { status: "True", reason: "Why", message: "a".repeat(1000), since };
  assert.deepEqual(kept, { name: "dns", isShipped: true, version: "4.18.5", conditions: { Degraded } });
  assert.deepEqual(present(buildOperator([{ type: "Available" }], "", { annotations: { other: "a" } })), {
    name: "dns",
    isShipped: false,
    conditions: { Available: { status: "", reason: "", message: "" } },
  });
});

test("tells whether the last update has completed", () => {
  const table: readonly (readonly [history: readonly JsonObject[], rollout: Rollout])[] = [
    [
      [
        { version: "4.18.5", state: "Completed" },
        { version: "4.18.4", state: "Partial" },
      ],
      { kind: "completed", version: "4.18.5" },
    ],
    [
      [
        { version: "4.18.5", state: "Partial" },
        { version: "4.18.4", state: "Completed" },
      ],
      { kind: "underWay", version: "4.18.5" },
    ],
    [[{ version: "", state: "Completed" }], { kind: "unknown" }],
    [[], { kind: "unknown" }],
  ];
  for (const [history, rollout] of table) assert.deepEqual(keepRollout({ status: { history } }), rollout);
});

test("gives an operator ten minutes to become available, and thirty to be no longer degraded", () => {
  const table: readonly (readonly [
    type: string,
    status: string,
    since: string | null,
    finding: string,
    notice: string,
  ])[] = [
    ["Available", "True", null, "", ""],
    ["Available", "False", "2026-03-01T11:50:00Z", "It is not available (Why).", ""],
    ["Available", "False", "2026-03-01T11:50:01Z", "", "is not available (Why), so far for less than 10 minutes"],
    ["Available", "Unknown", null, "It reports Available=Unknown (Why).", ""],
    ["Degraded", "False", null, "", ""],
    ["Degraded", "True", "2026-03-01T11:30:00Z", "It is degraded (Why).", ""],
    ["Degraded", "True", "2026-03-01T11:30:01Z", "", "is degraded (Why), so far for less than 30 minutes"],
    ["Degraded", "True", "soon", "It is degraded (Why).", ""],
    [
      "Degraded",
      "Unknown",
      "2026-03-01T11:59:00Z",
      "",
      "reports Degraded=Unknown (Why), so far for less than 30 minutes",
    ],
    ["Upgradeable", "False", null, "", ""],
  ];
  for (const [type, status, lastTransitionTime, finding, notice] of table) {
    const operators = [buildOperator([{ type, status, reason: "Why", lastTransitionTime }])];
    const [found] = buildUnhealthyFindings(operators, UPDATE);
    assert.equal(found?.message ?? "", finding);
    if (found) assert.equal(`${found.detail?.["condition"]} ${found.detail?.["reason"]}`, `${type} Why`);
    const notices = notice === "" ? [] : [`ClusterOperator dns ${notice}: update once it has recovered.`];
    assert.deepEqual(buildTransientNotices(operators, UPDATE), notices);
  }
});

test("compares an operator's version with that of the cluster once its update has completed", () => {
  const completed: Rollout = { kind: "completed", version: "4.18.6" };
  const underWay: Rollout = { kind: "underWay", version: "4.18.6" };
  const table: readonly (readonly [rollout: Rollout, text: string, metadata: JsonObject, lags: boolean])[] = [
    [completed, "4.18.5", SHIPPED, true],
    [completed, "4.18.6", SHIPPED, false],
    [completed, "", SHIPPED, false],
    [completed, "one", SHIPPED, false],
    [completed, "4.18.5", {}, false],
    [underWay, "4.18.5", SHIPPED, false],
    [{ kind: "unknown" }, "4.18.5", SHIPPED, false],
  ];
  for (const [rollout, text, metadata, lags] of table) {
    const messages = buildLagFindings([buildOperator([], text, metadata)], rollout).map(({ message }) => message);
    assert.deepEqual(messages, lags ? ["It still reports 4.18.5, while the cluster runs 4.18.6."] : []);
  }
  const start = "The cluster's last update, to 4.18.6, has not completed";
  const notice = (text: string, metadata: JsonObject = SHIPPED, rollout: Rollout = underWay) =>
    buildRolloutNotices([buildOperator([], text, metadata)], rollout);
  assert.deepEqual(notice("4.18.5"), [`${start}; cluster operators that have not reached it: dns.`]);
  assert.deepEqual(notice("4.18.6"), [`${start}.`]);
  assert.deepEqual(notice("4.18.5", {}), [`${start}.`]);
  assert.deepEqual(notice("4.18.5", SHIPPED, completed), []);
});

test("misses the conditions of a release's operator, except during an update", () => {
  const available = { type: "Available", status: "True" };
  const degraded = { type: "Degraded", status: "False" };
  const table: readonly (readonly [
    conditions: readonly JsonObject[],
    kind: "completed" | "underWay",
    metadata: JsonObject,
    missing: string,
  ])[] = [
    [[available, degraded], "completed", SHIPPED, ""],
    [[available], "completed", SHIPPED, "it does not report the condition Degraded"],
    [[{ type: "Available" }, degraded], "completed", SHIPPED, "it does not report the condition Available"],
    [[], "completed", SHIPPED, "it does not report the conditions Available and Degraded"],
    [[], "completed", {}, ""],
    [[], "underWay", SHIPPED, ""],
  ];
  for (const [conditions, kind, metadata, missing] of table) {
    const unknowns = buildOperatorUnknowns([buildOperator(conditions, "", metadata)], { kind, version: "4.18.5" });
    assert.deepEqual(
      unknowns.map(({ message }) => message),
      missing === "" ? [] : [missing],
    );
  }
});

test("only Upgradeable=False blocks an update, and only one to another minor", () => {
  const build = (type: string, status: string) => [buildOperator([{ type, status, reason: "Why" }])];
  const blocks = (status: string, context = UPDATE) =>
    buildNotUpgradeableFindings(build("Upgradeable", status), context).length;
  const notes = (status: string, context = UPDATE) =>
    buildUndecidedNotices(build("Upgradeable", status), context).length;
  assert.deepEqual(
    ["True", "False", "Unknown"].map((status) => [blocks(status), notes(status)]),
    [
      [0, 0],
      [1, 0],
      [0, 1],
    ],
  );
  assert.deepEqual([blocks("False", PATCH), notes("Unknown", PATCH)], [0, 0]);
  const evaluate = (status: string) => buildEvaluationNotices(build("EvaluationConditionsDetected", status));
  assert.deepEqual(evaluate("True"), [
    "ClusterOperator dns reports something that a later release may not accept (Why).",
  ]);
  assert.deepEqual(evaluate("False"), []);
});
