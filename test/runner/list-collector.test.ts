import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type JsonObject, textAt } from "../../src/model/json.ts";
import { each } from "../../src/model/read.ts";
import { type ListCollector, createListCollector } from "../../src/runner/gather/collectors.ts";

const nameOf = (pod: JsonObject) => textAt(pod, "metadata", "name");
const pod = (namespace: string, name: string): JsonObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { namespace, name },
});
const HELD = { wholeNamespaces: new Set(["a"]), message: "the archive holds only some namespaces" };
const GAP = { kind: "failed", reason: "NotRecorded", message: HELD.message };

/** What is kept of each object. */
function visitAll(collector: ListCollector, pods: readonly JsonObject[]): readonly boolean[] {
  return pods.map((one) => collector.visit(one));
}

describe("a list of which an archive holds a part", () => {
  test("counts as failed for a read that needs the whole list", () => {
    const collector = createListCollector(each("v1/pods", nameOf), 10, HELD);
    assert.deepEqual(visitAll(collector, [pod("a", "x")]), [false]);
    assert.deepEqual(collector.result(), GAP);
    assert.deepEqual(collector.failure(), GAP);
  });

  test("is kept object by object, with its gap, for a read that is sound in each", () => {
    const collector = createListCollector({ ...each("v1/pods", nameOf), soundInPart: "object" }, 10, HELD);
    assert.deepEqual(visitAll(collector, [pod("b", "y"), pod("a", "x")]), [true, true]);
    assert.deepEqual(collector.result(), {
      kind: "found",
      values: ["x", "y"],
      gaps: [GAP],
      heldNamespaces: HELD.wholeNamespaces,
    });
    assert.equal(collector.failure(), undefined);
  });

  test("is kept in the namespaces that are whole for a read that is sound in each", () => {
    const collector = createListCollector({ ...each("v1/pods", nameOf), soundInPart: "namespace" }, 10, HELD);
    assert.deepEqual(visitAll(collector, [pod("b", "y"), pod("a", "x")]), [false, true]);
    assert.deepEqual(collector.result(), {
      kind: "found",
      values: ["x"],
      gaps: [GAP],
      heldNamespaces: HELD.wholeNamespaces,
    });
  });
});

test("a whole list has no gap, whatever the read needs", () => {
  for (const soundInPart of ["object", "namespace", undefined] as const) {
    const read = { ...each("v1/pods", nameOf), ...(soundInPart ? { soundInPart } : {}) };
    const collector = createListCollector(read, 10, undefined);
    assert.deepEqual(visitAll(collector, [pod("b", "y")]), [true]);
    assert.deepEqual(collector.result(), { kind: "found", values: ["y"] });
  }
});

test("values are sorted by namespace, then by name", () => {
  const collector = createListCollector(each("v1/pods", nameOf), 10, undefined);
  visitAll(collector, [pod("b", "a"), pod("a", "z"), pod("", "m"), pod("a", "b")]);
  assert.deepEqual(collector.result(), { kind: "found", values: ["m", "b", "z", "a"] });
});

test("what is not kept does not count, and one more than the limit fails the read", () => {
  const collector = createListCollector(
    each("v1/pods", (one) => (nameOf(one) === "none" ? undefined : nameOf(one))),
    2,
    undefined,
  );
  assert.deepEqual(visitAll(collector, [pod("a", "x"), pod("a", "none"), pod("a", "y")]), [true, false, true]);
  assert.deepEqual(collector.result(), { kind: "found", values: ["x", "y"] });
  assert.deepEqual(visitAll(collector, [pod("a", "none"), pod("a", "z"), pod("a", "w")]), [false, false, false]);
  assert.equal(collector.failure()?.kind, "failed");
  assert.equal(collector.result().kind, "failed");
});

test("an object that is not understood fails the read, and nothing of the list is kept any more", () => {
  const keep = (one: JsonObject): string => {
    throw new Error(`${nameOf(one) ?? ""} has no size`);
  };
  const collector = createListCollector(each("v1/pods", keep), 10, undefined);
  assert.deepEqual(visitAll(collector, [pod("a", "x"), pod("a", "y")]), [false, false]);
  assert.match(collector.failure()?.message ?? "", /x has no size/);
});
