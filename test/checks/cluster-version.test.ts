import assert from "node:assert/strict";
import { test } from "node:test";
import { formatCondition, keepClusterVersion } from "../../src/checks/cluster-version/cluster-version.ts";
import { judgeRollback, judgeUpgradeable } from "../../src/checks/cluster-version/preconditions.ts";
import { judgeClusterVersion } from "../../src/checks/cluster-version/check.ts";
import { buildContext, type Context, type Finding } from "../../src/model/check.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { withSpecial } from "../../src/model/special-check.ts";
import { release, version } from "../support/fixtures.ts";

const NOW = new Date("2026-03-01T12:00:00Z");

function buildUpdate(source: string, target: string, reported: readonly Finding[] = []): Context {
  return withSpecial(buildContext(version(source), release(target), NOW), { reported });
}

function parseStatus(desired: string, status: JsonObject, spec: JsonObject = {}) {
  return keepClusterVersion({ spec, status: { desired: { version: desired, image: "b" }, ...status } });
}

test("refuses a target below the release that is being applied as the operator of that release does", () => {
  const none = "the cluster has no previous release";
  const table: readonly (readonly [desired: string, target: string, previous: string, why?: string])[] = [
    ["4.18.5", "4.18.6", "4.18.4"],
    ["4.18.5", "4.18.5", "4.18.3"],
    ["4.18.5", "4.18.4", "4.18.4"],
    ["4.18.5", "4.18.3", "4.18.4", "it goes back only to the previous release, which is 4.18.4"],
    ["4.18.5", "4.17.9", "4.17.9", "it goes back only within 4.18, and the previous release was 4.17.9"],
    ["4.18.5", "4.18.4", "", none],
    ["4.18.5", "4.18.4", "unheard", none],
    ["4.16.5", "4.16.4", "4.16.4"],
    ["4.15.5", "4.15.4", "4.15.4", "an operator of 4.15 goes back to no release"],
    ["4.14.5", "4.14.4", "4.14.4", "an operator of 4.14 goes back to no release"],
    ["4.13.5", "4.13.4", "4.13.4"],
    ["unheard", "4.13.4", "4.13.4"],
  ];
  for (const [desired, target, previous, why] of table) {
    const entries = previous === "" ? [] : [{ version: previous, image: "a" }];
    const history = [{ version: desired, image: "b" }, ...entries];
    const judged = judgeRollback(parseStatus(desired, { history }), buildUpdate("4.18.5", target));
    const expected = why && `It applies ${desired}, and ${target} is lower: ${why}.`;
    assert.equal(judged.findings?.[0]?.message, expected, `${desired} to ${target} after ${previous}`);
    assert.deepEqual(judged.findings?.[0]?.detail, why && { desired, why });
  }
});

test("takes another image of the same version as a previous release", () => {
  const history = [
    { version: "4.18.5", image: "b" },
    { version: "4.18.5", image: "a" },
    { version: "4.18.4", image: "a" },
  ];
  const [finding] = judgeRollback(parseStatus("4.18.5", { history }), buildUpdate("4.18.5", "4.18.4")).findings ?? [];
  assert.equal(finding?.detail?.["why"], "it goes back only to the previous release, which is 4.18.5");
});

type Obstacles = readonly (readonly [reason: string, message: string])[];

function listObstacles(desired: string, context: Context, message: string, status: JsonObject = {}): Obstacles {
  const condition = { type: "Upgradeable", status: "False", reason: "Why", message };
  const { conditions = [], ...more } = status;
  const all = [condition, ...(Array.isArray(conditions) ? conditions : [])];
  const { findings = [] } = judgeUpgradeable(parseStatus(desired, { conditions: all, ...more }), context);
  return findings.map(({ detail }) => [detail?.["reason"] ?? "", detail?.["message"] ?? ""]);
}

test("reports what refuses an update to another minor, but for a later patch release of the minor that is applied", () => {
  const table: readonly (readonly [desired: string, source: string, target: string, isRefused: boolean])[] = [
    ["4.18.5", "4.18.5", "4.19.2", true],
    ["4.18.5", "4.18.5", "4.18.6", false],
    ["4.19.1", "4.18.5", "4.19.2", false],
    ["4.19.1", "4.18.5", "4.20.2", true],
    ["4.18.1", "4.17.5", "4.18.2", false],
    ["4.17.1", "4.16.5", "4.17.2", true],
    ["unheard", "4.18.5", "4.19.2", true],
  ];
  for (const [desired, source, target, isRefused] of table) {
    const obstacles = listObstacles(desired, buildUpdate(source, target), "No.");
    assert.deepEqual(obstacles, isRefused ? [["Why", "No."]] : [], `${source} to ${target} at ${desired}`);
  }
});

test("tells each reason of several", () => {
  const update = buildUpdate("4.18.5", "4.19.2");
  const part = (type: string, status = "False") => ({ type, status, reason: type, message: `${type}.` });
  const several = "Cluster should not be upgraded between minor versions for multiple reasons: A,B";
  const dns = "Cluster operator dns should not be upgraded between minor versions: A: x";
  const etcd = "Cluster operator etcd cannot be upgraded: B: y";
  const table: readonly (readonly [message: string, conditions: readonly JsonObject[], expected: Obstacles])[] = [
    [
      `${several}\n* one\n* two`,
      [],
      [
        ["Why", "one"],
        ["Why", "two"],
      ],
    ],
    [several, [], [["Why", several]]],
    ["One\n* two", [], [["Why", "One\n* two"]]],
    [
      `Multiple cluster operators should not be upgraded:\n* ${dns}\n* ${etcd}`,
      [],
      [
        ["Why", dns],
        ["Why", etcd],
      ],
    ],
    [`${dns}\n* z`, [], [["Why", `${dns}\n* z`]]],
    [several, [part("UpgradeableX")], [["UpgradeableX", "UpgradeableX."]]],
    ["No.", [part("UpgradeableX", "True"), part("Upgradeablex"), part("NotUpgradeableX")], [["Why", "No."]]],
  ];
  for (const [message, conditions, expected] of table)
    assert.deepEqual(listObstacles("4.18.5", update, message, { conditions }), expected, message);
});

test("leaves out the update in progress, which it reports by itself", () => {
  const update = buildUpdate("4.18.5", "4.19.2");
  const during = { history: [{ version: "4.18.5", state: "Partial" }] };
  const message = "An update is already in progress and the details are in the Progressing condition";
  assert.deepEqual(listObstacles("4.18.5", update, message, during), []);
  assert.deepEqual(listObstacles("4.18.5", update, message), [["Why", message]]);
  assert.deepEqual(listObstacles("4.18.5", update, `Or: ${message}`, during), [["Why", `Or: ${message}`]]);
  for (const [reason, count] of [
    ["UpdateInProgress", 0],
    ["ClusterVersionUpdating", 0],
    ["NotUpdateInProgress", 1],
    ["UpdateInProgressToo", 1],
  ] as const) {
    const part = { type: "UpgradeableX", status: "False", reason, message: "x" };
    assert.equal(listObstacles("4.18.5", update, "", { conditions: [part], ...during }).length, count, reason);
  }
});

test("leaves out what other checks have reported", () => {
  const found = (risk: string, name: string, detail: Readonly<Record<string, string>> = {}): Finding => ({
    risk,
    object: { apiVersion: "v1", kind: "Any", name },
    message: "",
    detail,
  });
  const dns = found("ClusterOperatorNotUpgradeable", "dns", { message: "dns is old" });
  const ack = found("AdminAckMissing", "admin-gates", { message: " Acknowledge it. " });
  const longer = found("AdminAckMissing", "admin-gates", { message: "Acknowledge it. Twice." });
  const gate = found("AdminGateInvalid", "admin-gates", { gate: "ack-4.18" });
  const overrides = "Disabling ownership via cluster version overrides prevents upgrades.";
  const table: readonly (readonly [message: string, reported: readonly Finding[], isReported: boolean])[] = [
    ["Cluster operator dns should not be upgraded between minor versions: x", [dns], true],
    ["Cluster operator dns cannot be upgraded: x", [dns], true],
    ['Cluster Operator "dns" is not Upgradeable', [dns], true],
    ['The Cluster Operator "dns" is not Upgradeable', [dns], false],
    ["The Cluster operator dns cannot be upgraded: x", [dns], false],
    ["Cluster operator etcd cannot be upgraded: x", [dns], false],
    ["Cluster operator dns cannot be upgraded: x", [{ ...dns, risk: "Other" }], false],
    [overrides, [found("ComponentsSetUnmanaged", "any")], true],
    [overrides, [dns], false],
    [`No: ${overrides}`, [found("ComponentsSetUnmanaged", "any")], false],
    ["admin-gates: ack-4.18 has no value", [gate], true],
    ["admin-gates: ack-4.18.1 has no value", [gate], false],
    ["Acknowledge it.", [ack], true],
    [" Acknowledge it. Acknowledge it. Twice. ", [ack, longer], true],
    ["Acknowledge it. Twice.", [ack], false],
    ["Acknowledge it. dns is old", [ack, dns], true],
    ["Acknowledge it.", [{ ...ack, risk: "Other" }], false],
    ["Acknowledge it.", [found("AdminAckMissing", "admin-gates")], false],
    [" ", [ack], false],
  ];
  for (const [message, reported, isReported] of table)
    assert.equal(
      listObstacles("4.18.5", buildUpdate("4.18.5", "4.19.2", reported), message).length,
      isReported ? 0 : 1,
      message,
    );
});

test("tells a failure for which each operator is reported from all others", () => {
  const names = ["dns", "etcd"].map((name) => ({ apiVersion: "v1", kind: "ClusterOperator", name }));
  const reported = names.map((object) => ({ risk: "ClusterOperatorUnhealthy", object, message: "" }));
  const table: readonly (readonly [reason: string, message: string, isReported: boolean])[] = [
    ["ClusterOperatorDegraded", "Cluster operator dns is degraded", true],
    ["ClusterOperatorsDegraded", "Cluster operators dns, etcd are degraded", true],
    ["ClusterOperatorsNotAvailable", "Some cluster operators are not available: dns, etcd", true],
    ["ClusterOperatorsNotAvailable", "Now some cluster operators are not available: dns", false],
    ["ClusterOperatorNotAvailable", "Cluster operator dns has not become available", true],
    ["ClusterOperatorsNotAvailable", "Cluster operators dns have not become available", true],
    ["ClusterOperatorsDegraded", "Cluster operators dns, network are degraded", false],
    ["ClusterOperatorDegraded", "Cluster operator dns wastes time", false],
    ["ClusterOperatorDegraded", "The Cluster operator dns is degraded", false],
    ["ClusterOperator", "Cluster operator dns is degraded", false],
    ["NoClusterOperatorDegraded", "Cluster operator dns is degraded", false],
  ];
  for (const [reason, message, isReported] of table) {
    const conditions = [{ type: "Failing", status: "True", reason, message }];
    const judged = judgeClusterVersion(
      parseStatus("4.18.5", { conditions }),
      buildUpdate("4.18.5", "4.18.6", reported),
    );
    assert.equal(judged.findings?.length, isReported ? 0 : 1, `${reason} ${message}`);
  }
});

test("quotes a condition up to 300 characters, and an odd status up to 40", () => {
  const quoted = (length: number) => formatCondition({ reason: "Why", message: "a".repeat(length) });
  assert.deepEqual([quoted(300), quoted(301)], [`Why, "${"a".repeat(300)}"`, `Why, "${"a".repeat(300)}..."`]);
  assert.equal(formatCondition({ reason: "Why", message: "" }), "Why");
  for (const type of ["Failing", "Invalid"]) {
    const conditions = [{ type, status: "b".repeat(41) }];
    const [unknown] =
      judgeClusterVersion(parseStatus("4.18.5", { conditions }), buildUpdate("4.18.5", "4.18.6")).unknowns ?? [];
    assert.equal(unknown?.message, `its status is "${"b".repeat(40)}"`);
  }
});
