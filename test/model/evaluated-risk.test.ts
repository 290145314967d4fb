import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type EvaluatedRisk,
  type Applies,
  findEvaluation,
  parseEvaluatedRisks,
} from "../../src/model/cluster-version-risks.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { hasSameRules, isUnconditional } from "../../src/model/route.ts";

const ALWAYS = [{ type: "Always" }];

function risk(name: string, applies?: JsonObject): JsonObject {
  const conditions: JsonObject = applies === undefined ? {} : { conditions: [{ type: "Applies", ...applies }] };
  return { name, message: `${name}.`, url: `https://h/${name}`, matchingRules: ALWAYS, ...conditions };
}

function evaluated(name: string, applies: Applies, more: Partial<EvaluatedRisk> = {}): EvaluatedRisk {
  const published = { name, message: `${name}.`, url: `https://h/${name}`, matchingRules: ALWAYS };
  return { ...published, applies, isOfOperator: false, ...more };
}

const OF_PREFLIGHT = { ...risk("Found"), message: "4.18.1 -> 4.19.1: it is broken" };

test("a risk applies as its own condition says, else as the update's condition quotes it", () => {
  const recommended = { type: "Recommended", status: "False", reason: "Quoted", message: "cut off" };
  const update = {
    release: { version: "4.19.1" },
    risks: [
      OF_PREFLIGHT,
      "no risk",
      risk("Quoted"),
      risk("Unquoted"),
      risk("Yes", { status: "True" }),
      risk("No", { status: "False" }),
      risk("Unclear", { status: "Unknown" }),
      risk("Absent", {}),
    ],
    conditions: [recommended],
  };
  const version = "4.19.1";
  const status = {
    conditionalUpdates: [update, { risks: [risk("Alone")] }],
    conditionalUpdateRisks: [OF_PREFLIGHT, 5, risk("Listed"), risk("ListedYes", { status: "True" })],
  };
  assert.deepEqual(parseEvaluatedRisks({ status }), [
    evaluated("Quoted", "yes", { version }),
    evaluated("Unquoted", "unknown", { version }),
    evaluated("Yes", "yes", { version }),
    evaluated("No", "no", { version }),
    evaluated("Unclear", "unknown", { version }),
    evaluated("Absent", "unknown", { version }),
    evaluated("Alone", "unknown", { version: "" }),
    evaluated("Listed", "unknown"),
    evaluated("ListedYes", "yes"),
  ]);
  assert.deepEqual(parseEvaluatedRisks({}), []);
});

const OPERATORS = [
  ..."AdminAck-ack-4.19 AdminAckUnknown ClusterOperatorUpgradeable-etcd ClusterOperatorUpgradeableUnknown".split(" "),
  ..."ClusterVersionOverrides ClusterVersionUpdating ResourceDeletionInProgress".split(" "),
  "ResourceDeletionInProgressUnknown",
];
const SERVICES = [
  ..."AdminAck AdminAck- MyAdminAck-a AdminAckUnknownA ClusterOperatorUpgradeable ClusterVersion".split(" "),
  ..."ClusterVersionOverridesA MyClusterVersionOverrides ResourceDeletionInProgressA".split(" "),
];

test("the operator makes risks of alerts and of what Upgradeable says", () => {
  const alert = risk("Firing", { status: "True", reason: "Alert:firing" });
  const others = [risk("Odd", { status: "True", reason: "NoAlert:" }), risk("Even", { status: "True" })];
  const names = [...OPERATORS, ...SERVICES].map((name) => risk(name));
  const risks = parseEvaluatedRisks({ status: { conditionalUpdateRisks: [alert, ...others, ...names] } });
  assert.deepEqual(
    risks.filter(({ isOfOperator }) => isOfOperator).map(({ name }) => name),
    ["Firing", ...OPERATORS],
  );
});

test("a risk's evaluation for the same update counts before those for others", () => {
  const own = (applies: Applies): EvaluatedRisk => evaluated("R", applies, { version: "4.19.1" });
  const other = (applies: Applies): EvaluatedRisk => evaluated("R", applies, { version: "4.19.2" });
  const rows: readonly (readonly [risks: readonly EvaluatedRisk[], applies: Applies])[] = [
    [[], "unknown"],
    [[own("yes")], "yes"],
    [[own("no"), other("yes")], "no"],
    [[own("no"), own("yes")], "yes"],
    [[own("unknown"), own("no")], "no"],
    [[own("unknown"), other("yes")], "yes"],
    [[own("unknown"), other("no")], "no"],
    [[other("unknown")], "unknown"],
    [[evaluated("S", "yes", { version: "4.19.1" })], "unknown"],
    [[evaluated("R", "yes", { version: "4.19.1", matchingRules: [] })], "unknown"],
  ];
  assert.deepEqual(
    rows.map(([risks]) => findEvaluation(evaluated("R", "unknown"), "4.19.1", risks)),
    rows.map(([, applies]) => applies),
  );
});

test("a risk without conditions says so first, and rules are the same whatever the order of their keys", () => {
  const rules = [ALWAYS, [{ type: "PromQL" }, ...ALWAYS], [...ALWAYS, { type: "PromQL" }], []];
  assert.deepEqual(
    rules.map((matchingRules) => isUnconditional({ matchingRules })),
    [true, false, true, false],
  );
  const withRules = (...matchingRules: readonly JsonObject[]) => evaluated("R", "yes", { matchingRules });
  const one = withRules({ type: "PromQL", promql: { promql: "up" } });
  assert.equal(hasSameRules(one, withRules({ promql: { promql: "up" }, type: "PromQL" })), true);
  assert.equal(hasSameRules(one, withRules({ promql: { promql: "down" }, type: "PromQL" })), false);
  assert.equal(hasSameRules(one, { ...one, name: "S" }), false);
});
