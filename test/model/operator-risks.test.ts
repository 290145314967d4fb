import assert from "node:assert/strict";
import { test } from "node:test";
import type { Finding } from "../../src/model/check.ts";
import { getOperatorRiskName } from "../../src/model/cluster-version-risks.ts";

function buildFinding(kind: string, name: string, detail?: Readonly<Record<string, string>>): Finding {
  const object = { apiVersion: "v1", kind, name };
  return { risk: "R", object, message: "It is broken.", ...(detail ? { detail } : {}) };
}

const CASES: readonly (readonly [liftedAs: string, finding: Finding, name: string | undefined])[] = [
  ["PodDisruptionBudgetAtLimit", buildFinding("PodDisruptionBudget", "web"), "PodDisruptionBudgetAtLimit"],
  ["ClusterOperatorUpgradeable-*", buildFinding("ClusterOperator", "etcd"), "ClusterOperatorUpgradeable-etcd"],
  [
    "ClusterOperatorUpgradeable-*",
    buildFinding("Etcd", "cluster", { clusterOperator: "etcd" }),
    "ClusterOperatorUpgradeable-etcd",
  ],
  ["ClusterOperatorUpgradeable-*", buildFinding("Node", "a"), undefined],
  ["AdminAck-<gate>", buildFinding("ConfigMap", "admin-acks", { gate: "ack-5.0-a" }), "AdminAck-ack-5.0-a"],
  ["AdminAck-<gate>", buildFinding("ConfigMap", "admin-acks"), undefined],
  ["AdminAck-*-b", buildFinding("ClusterOperator", "etcd"), "AdminAck-*-b"],
  ["ConditionalUpdateRisk", buildFinding("ClusterVersion", "version", { name: "Published" }), "Published"],
];

for (const [liftedAs, finding, name] of CASES)
  test(`the operator calls ${liftedAs} of ${finding.object.kind} ${name ?? "nothing"}`, () => {
    assert.equal(getOperatorRiskName(liftedAs, finding), name);
  });
