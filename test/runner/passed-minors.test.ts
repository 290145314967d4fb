import assert from "node:assert/strict";
import { test } from "node:test";
import { parseListedUpdates } from "../../src/model/cluster-version.ts";
import type { MinorsBetween, Recommendation } from "../../src/model/route.ts";
import { findMinorsPassed } from "../../src/runner/updates/update.ts";
import { version } from "../support/fixtures.ts";

const LISTED = parseListedUpdates({
  spec: { channel: "fast-5.2" },
  status: {
    availableUpdates: [{ version: "5.2.0" }],
    conditionalUpdates: [{ release: { version: "5.2.1" } }],
    conditions: [{ type: "RetrievedUpdates", status: "True" }],
  },
});
const FAILED = parseListedUpdates({
  status: { conditions: [{ type: "RetrievedUpdates", status: "False", reason: "NoChannel" }] },
});
const ONLY_5_1: MinorsBetween = { names: ["5.1"], channel: "fast-5.2" };

function find(target: string, recommendation?: Recommendation, listed = LISTED): MinorsBetween | undefined {
  const facts = { source: version("5.0.8"), target: version(target) };
  return findMinorsPassed(recommendation === undefined ? facts : { ...facts, recommendation }, listed);
}

test("an update to the next minor passes none", () => {
  assert.equal(find("5.0.9"), undefined);
  assert.equal(find("5.1.0"), undefined);
  assert.equal(find("5.1.0", undefined, FAILED), undefined);
});

test("an update that ClusterVersion lists, with conditions or without, is one", () => {
  assert.equal(find("5.2.0"), undefined);
  assert.equal(find("5.2.1"), undefined);
  assert.deepEqual(find("5.2.2"), ONLY_5_1);
  assert.deepEqual(find("5.3.0"), { names: ["5.1", "5.2"], channel: "fast-5.2" });
});

test("what the update service says of a target that was looked up there counts before the lists", () => {
  assert.equal(find("5.2.2", { kind: "recommended" }), undefined);
  assert.equal(find("5.2.2", { kind: "conditional", risks: [], exposure: "exposed" }), undefined);
  assert.deepEqual(find("5.2.0", { kind: "notOffered" }), { names: ["5.1"] });
  assert.equal(find("5.2.0", { kind: "unknown" }), undefined);
  assert.deepEqual(find("5.2.2", { kind: "unknown" }), ONLY_5_1);
});

test("without a list, nobody knows whether the update is offered", () => {
  assert.deepEqual(find("5.2.0", undefined, FAILED), {
    names: ["5.1"],
    unknown: "the cluster-version operator could not retrieve the updates (RetrievedUpdates=False, NoChannel)",
  });
  const silent = find("5.2.0", undefined, parseListedUpdates({ spec: { channel: "fast-5.2" } }));
  assert.deepEqual(silent, { names: ["5.1"], unknown: "ClusterVersion has no condition RetrievedUpdates" });
});

test("a later step of a plan is not among the updates from the running version", () => {
  const facts = { source: version("5.0.8"), target: version("5.2.0"), running: version("4.22.3") };
  assert.deepEqual(findMinorsPassed(facts, LISTED), {
    names: ["5.1"],
    unknown: "ClusterVersion lists only the updates from 4.22.3",
  });
});

test("Kubernetes has no update service, so that each minor is an update", () => {
  const facts = { source: version("1.33.1"), target: version("1.35.1") };
  assert.deepEqual(findMinorsPassed(facts, undefined), { names: ["1.34"] });
});
