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
  test(`${name} is lifted for updates that leave the minor, and for no other`, () => {
    for (const [from, to] of [
      ["5.0.3", "5.1.0"],
      ["5.0.3", "5.2.0"],
      ["4.23.1", "5.1.0"],
      // One place on the line of minors, and still another minor.
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

  test(`${name} is lifted by no operator before 4.23`, () => {
    assert.ok(!isRaised(name, "4.22.9", "4.23.0"));
    assert.ok(!isRaised(name, "4.18.2", "4.20.0"));
  });
}

test("an alert is lifted for every update, from 4.22 on", () => {
  assert.ok(
    isRaised(ALERT, "4.22.1", "4.22.9") && isRaised(ALERT, "5.1.0", "5.0.3") && isRaised(ALERT, "4.23.1", "5.0.0"),
  );
  assert.ok(!isRaised(ALERT, "4.21.1", "4.22.9"));
});

test("a risk of a conditional update is the operator's from 4.10 on, for every update", () => {
  assert.ok(
    isRaised("ConditionalUpdateRisk", "4.10.3", "4.11.0") && isRaised("ConditionalUpdateRisk", "5.0.3", "5.0.9"),
  );
  assert.ok(!isRaised("ConditionalUpdateRisk", "4.9.50", "4.10.0"));
});

test("the gate of a release is lifted by that release alone", () => {
  assert.ok(isRaised("AdminAck-ack-5.0-a-in-5.1", "5.0.3", "5.2.0"));
  assert.ok(!isRaised("AdminAck-ack-5.1-a-in-5.2", "5.0.3", "5.2.0"));
  assert.ok(!isRaised("AdminAck-ack-4.23-a-in-5.0", "5.0.3", "5.1.0"), "4.23 is not 5.0 in a gate's name");
});

test("nothing is lifted where nothing is said, nor on Kubernetes without OpenShift", () => {
  assert.ok(!isOperatorRisk({}, buildContext(version("5.0.3"), release("5.1.0"), new Date(0))));
  assert.ok(!isRaised(ALERT, "1.36.0", "1.37.0", "kubernetes"));
});
