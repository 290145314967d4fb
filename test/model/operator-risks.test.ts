import assert from "node:assert/strict";
import { test } from "node:test";
import { type Platform, buildContext } from "../../src/model/check.ts";
import { isOperatorRisk } from "../../src/model/operator-risks.ts";
import { release, version } from "../support/fixtures.ts";

const isRaised = (liftedAs: string, from: string, to: string, platform?: Platform): boolean =>
  isOperatorRisk({ liftedAs }, buildContext(version(from), release(to), new Date(0), platform));

const UPGRADEABLE = [
  "ClusterOperatorUpgradeable-*",
  "ClusterOperatorUpgradeable-storage",
  "AdminAck-<gate>",
  "ClusterVersionOverrides",
  "ClusterVersionUpdating",
];
const ALERT = "PodDisruptionBudgetAtLimit";

for (const name of UPGRADEABLE) {
  test(`the operator raises ${name} only for updates that leave the minor`, () => {
    for (const [from, to] of [
      ["5.0.3", "5.1.0"],
      ["5.0.3", "5.2.0"],
      ["4.23.1", "5.1.0"],
      // The same position in the order of minors, but a different minor.
      ["4.23.1", "5.0.0"],
    ] as const)
      assert.ok(isRaised(name, from, to), `${from} to ${to}`);
    for (const [from, to] of [
      ["5.0.3", "5.0.9"],
      ["5.1.0", "5.0.3"],
      ["5.0.0", "4.23.9"],
      ["5.0.3", "5.0.3"],
    ] as const)
      assert.ok(!isRaised(name, from, to), `${from} to ${to}`);
  });

  test(`no operator before 4.23 raises ${name}`, () => {
    assert.ok(!isRaised(name, "4.22.9", "4.23.0"));
    assert.ok(!isRaised(name, "4.18.2", "4.20.0"));
  });
}

test("operators from 4.22 on raise an alert for every update", () => {
  assert.ok(
    isRaised(ALERT, "4.22.1", "4.22.9") && isRaised(ALERT, "5.1.0", "5.0.3") && isRaised(ALERT, "4.23.1", "5.0.0"),
  );
  assert.ok(!isRaised(ALERT, "4.21.1", "4.22.9"));
});

test("operators from 4.10 on raise conditional update risks for every update", () => {
  assert.ok(
    isRaised("ConditionalUpdateRisk", "4.10.3", "4.11.0") && isRaised("ConditionalUpdateRisk", "5.0.3", "5.0.9"),
  );
  assert.ok(!isRaised("ConditionalUpdateRisk", "4.9.50", "4.10.0"));
});

test("only the release that an admin-ack gate belongs to raises it", () => {
  assert.ok(isRaised("AdminAck-ack-5.0-a-in-5.1", "5.0.3", "5.2.0"));
  assert.ok(!isRaised("AdminAck-ack-5.1-a-in-5.2", "5.0.3", "5.2.0"));
  assert.ok(!isRaised("AdminAck-ack-4.23-a-in-5.0", "5.0.3", "5.1.0"), "4.23 is not 5.0 in a gate's name");
});

test("raises nothing for a risk without an operator name, or on Kubernetes without OpenShift", () => {
  assert.ok(!isOperatorRisk({}, buildContext(version("5.0.3"), release("5.1.0"), new Date(0))));
  assert.ok(!isRaised(ALERT, "1.36.0", "1.37.0", "kubernetes"));
});
