import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { buildCurrentGateFindings, selectUpcomingGates, keepData } from "../../src/checks/admin-acks/check.ts";
import { GATES, selectTriggerReads } from "../../src/checks/admin-acks/gates.ts";
import { type Context, buildContext } from "../../src/model/check.ts";
import { withSpecial } from "../../src/model/special-check.ts";
import { release, version } from "../support/fixtures.ts";
import { present } from "../support/present.ts";

const none = new Map<string, string>();

function context(from: string, to: string): Context {
  return buildContext(version(from), release(to), new Date(0));
}

/** The risks of an unacknowledged gate in the cluster. */
function findRisks(gate: string, from: string, to: string): readonly string[] {
  return buildCurrentGateFindings(new Map([[gate, "Read this."]]), none, context(from, to)).map(({ risk }) => risk);
}

/** The releases between two others that have gates. */
function minorsAhead(from: string, to: string): readonly string[] {
  return [...new Set(selectUpcomingGates(none, none, context(from, to)).map(({ minor }) => minor))];
}

describe("the table of gates", () => {
  test("names each gate once, by its own release", () => {
    assert.equal(new Set(GATES.map(({ name }) => name)).size, GATES.length);
    for (const { name, minor } of GATES) {
      assert.ok(name.startsWith(`ack-${minor}-`), name);
      assert.deepEqual(findRisks(name, `${minor}.0`, "5.2.0"), ["AdminAckMissing"], name);
    }
  });

  test("counts those after the source and before the target", () => {
    assert.deepEqual(minorsAhead("4.18.1", "4.19.1"), []);
    assert.deepEqual(minorsAhead("4.18.1", "4.20.1"), ["4.19"]);
    assert.deepEqual(minorsAhead("4.17.1", "4.18.1"), []);
    assert.deepEqual(minorsAhead("4.17.1", "4.19.1"), ["4.18"]);
    assert.deepEqual(minorsAhead("4.16.1", "4.18.1"), []);
    assert.deepEqual(minorsAhead("4.20.1", "4.22.1"), ["4.21"]);
    assert.deepEqual(minorsAhead("4.21.1", "4.23.1"), []);
    assert.deepEqual(minorsAhead("4.21.1", "5.0.1"), []);
    assert.deepEqual(minorsAhead("4.23.1", "5.2.1"), []);
  });

  test("has those of the release from which a later step of a plan starts, while the cluster runs an earlier one", () => {
    const ahead = (running: string, from: string, to: string) => {
      const step = withSpecial(context(from, to), { running: version(running) });
      return selectUpcomingGates(none, none, step).map(({ minor }) => minor);
    };
    assert.deepEqual([...new Set(ahead("4.18.1", "4.19.1", "4.20.1"))], ["4.19"]);
    assert.deepEqual(ahead("4.18.1", "4.18.9", "4.19.1"), []);
    assert.deepEqual([...new Set(ahead("4.17.1", "4.20.1", "4.21.1"))], ["4.20"]);
  });

  test("makes the check read only what the gates between source and target depend on", () => {
    const read = (from: string, to: string) =>
      Object.keys(present(selectTriggerReads(selectUpcomingGates(none, none, context(from, to)))));
    assert.deepEqual(read("4.18.1", "4.20.1"), []);
    assert.deepEqual(read("4.20.1", "4.22.1"), ["infrastructure"]);
    assert.deepEqual(read("4.17.1", "4.19.1"), ["infrastructure", "nodes", "crds"]);
  });
});

describe("gates on the cluster", () => {
  test("apply only to their own release, identified by its number", () => {
    assert.deepEqual(findRisks("ack-4.18-demo", "4.18.9", "4.19.1"), ["AdminAckMissing"]);
    assert.deepEqual(findRisks("ack-4.17-demo", "4.18.9", "4.19.1"), []);
    assert.deepEqual(findRisks("ack-4.19-demo", "4.18.9", "4.19.1"), []);
    assert.deepEqual(findRisks("ack-4.19-demo", "4.18.9", "4.20.1"), ["AdminAckMissingOnTheWay"]);
    assert.deepEqual(findRisks("ack-4.1-demo", "4.18.9", "4.19.1"), []);
    assert.deepEqual(findRisks("ack-4.23-demo", "4.23.9", "5.1.1"), ["AdminAckMissing"]);
    assert.deepEqual(findRisks("ack-5.0-demo", "4.23.9", "5.1.1"), []);
    assert.deepEqual(findRisks("ack-5.0-demo", "4.22.9", "5.1.1"), ["AdminAckMissingOnTheWay"]);
  });

  test("without a text are invalid in the cluster's own release, and nothing yet in a later one", () => {
    const find = (gate: string): readonly string[] =>
      buildCurrentGateFindings(new Map([[gate, ""]]), none, context("4.18.9", "4.20.1")).map(({ risk }) => risk);
    assert.deepEqual(
      [find("ack-4.18-demo"), find("ack-4.19-demo"), find("ack-4.17-demo")],
      [["AdminGateInvalid"], [], []],
    );
  });

  test("are acknowledged only with the text true", () => {
    const judge = (value: string) =>
      buildCurrentGateFindings(
        new Map([["ack-4.18-demo", "Read this."]]),
        new Map([["ack-4.18-demo", value]]),
        context("4.18.9", "4.19.1"),
      ).map(({ message }) => message);
    const missing = (value: string): string =>
      `ack-4.18-demo is not acknowledged. Its value is "${value}", and only "true" counts. The gate reads: "Read this".`;
    assert.deepEqual([judge("true"), judge("yes"), judge("")], [[], [missing("yes")], [missing("")]]);
  });

  test("are invalid if the cluster-version operator rejects them", () => {
    for (const gate of ["ack-4.18", "ack-4.18-", "ack-4.18--demo", "ack-6.0-demo", "Ack-4.18-demo", "ack-4.x-demo"])
      assert.deepEqual(findRisks(gate, "4.18.9", "4.19.1"), ["AdminGateInvalid"], gate);
  });
});

test("reads an empty ConfigMap, and rejects data that is not an object", () => {
  assert.equal(keepData({}).size, 0);
  assert.equal(keepData({ data: null }).size, 0);
  assert.throws(() => keepData({ data: ["true"] }));
});
