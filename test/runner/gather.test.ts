import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonObject } from "../../src/model/json.ts";
import {
  type Read,
  each,
  eachMetadata,
  get,
  query,
  raw,
  soundInPart,
  withManagedFields,
} from "../../src/model/read.ts";
import type { ListPart, QueryAnswer, Reader, ReadFailure } from "../../src/model/reader.ts";
import { createTurnLimit } from "../../src/runner/gather/gathering.ts";
import { type GatherOptions, type ReadStats, gather } from "../../src/runner/gather/gather.ts";
import { type FakeResponse, fakeReader } from "../../verify/api-server/fake-reader.ts";
import { object } from "../support/fixtures.ts";
import type { Platform } from "../../src/model/version.ts";

const NODES = [object("v1", "Node", "b"), object("v1", "Node", "a")];
const nameOf = ({ metadata = null }: JsonObject): string => JSON.stringify(metadata);
const boom = (): never => {
  throw new Error("boom");
};

async function run(reads: readonly Read[], reader: Reader, more: Partial<GatherOptions> = {}) {
  const stats: ReadStats[] = [];
  const paths: string[] = [];
  const gathered = await gather(reads, {
    reader,
    limit: createTurnLimit(() => 4),
    signal: new AbortController().signal,
    maxKept: 2,
    onRead: (one) => stats.push(one),
    onPath: (path) => paths.push(path),
    ...more,
  });
  return { results: reads.map((read) => gathered.get(read)), stats, paths };
}

const answer = (answers: Readonly<Record<string, FakeResponse>>) => fakeReader(answers);

describe("each path is read once", () => {
  test("for all reads of one object, of which one that can't be understood fails alone", async () => {
    const owned: unknown[] = [];
    const reads = [get("v1/nodes", "a", nameOf), get("v1/nodes", "a", boom), get("v1/nodes", "b", nameOf)];
    const owners = { add: (one: JsonObject) => void owned.push(one) };
    const { results, stats, paths } = await run(reads, answer({ "/api/v1/nodes/a": object("v1", "Node", "a") }), {
      owners,
    });
    assert.deepEqual(results, [
      { kind: "found", value: '{"name":"a"}' },
      { kind: "failed", reason: "NotUnderstood", message: "Node a: boom" },
      { kind: "absent", what: "object" },
    ]);
    assert.deepEqual(stats, [
      { path: "/api/v1/nodes/a", kind: "nodes", outcome: "found", objects: 1, bytes: 10 },
      { path: "/api/v1/nodes/b", kind: "nodes", outcome: "absent", objects: 0, bytes: 0 },
    ]);
    assert.deepEqual(paths, ["/api/v1/nodes/a", "/api/v1/nodes/b"]);
    assert.deepEqual(owned, [object("v1", "Node", "a")]);
  });

  test("for all reads of one list, each of which keeps what it needs, or fails alone", async () => {
    const owned = new Set<unknown>();
    const counts: string[] = [];
    const counted = { begin: () => void counts.push("begin"), done: () => void counts.push("done") };
    const onlyB = (node: JsonObject): string | undefined => (nameOf(node).includes("b") ? "b" : undefined);
    const reads = [{ ...each("v1/nodes", onlyB), ...counted }, each("v1/nodes", boom), each("v1/pods", nameOf)];
    const owners = { add: (one: JsonObject) => void owned.add(one) };
    const { results, stats } = await run(reads, answer({ "/api/v1/nodes": NODES }), { owners });
    assert.deepEqual(results, [
      { kind: "found", values: ["b"] },
      { kind: "failed", reason: "NotUnderstood", message: "Node b: boom" },
      { kind: "absent", what: "resource" },
    ]);
    assert.deepEqual(stats, [
      { path: "/api/v1/nodes", kind: "nodes", outcome: "found", objects: 2, bytes: 20 },
      { path: "/api/v1/pods", kind: "pods", outcome: "absent", objects: 0, bytes: 0 },
    ]);
    assert.deepEqual([...owned], [NODES[0]]);
    assert.deepEqual(counts, ["begin", "begin", "done"]);
  });

  test("for all reads of one text, each of which keeps its lines", async () => {
    const reads = [
      raw(
        "/version",
        (text) => text,
        (line) => line.includes("a"),
      ),
      raw("/version", boom),
      raw("/version", String, boom),
      raw("/metrics", String),
      raw("/version", (text) => text),
    ];
    const { results, stats } = await run(reads, answer({ "/version": { a: 1, aa: 2 } }));
    const failed = { kind: "failed", reason: "NotUnderstood", message: "boom" };
    const tooMany = "there are too many to judge: a check keeps at most 2 of them";
    assert.deepEqual(results, [
      { kind: "found", value: ' "a": 1,\n "aa": 2\n' },
      { kind: "failed", reason: "TooManyObjects", message: tooMany },
      failed,
      { kind: "absent", what: "resource" },
      { kind: "failed", reason: "TooManyObjects", message: tooMany },
    ]);
    assert.deepEqual(stats, [
      { path: "/version", outcome: "found", objects: 0, bytes: 10 },
      { path: "/metrics", outcome: "absent", objects: 0, bytes: 0 },
    ]);
    assert.deepEqual((await run([raw("/version", boom)], answer({ "/version": {} }))).results, [failed]);
  });

  test("and a failure is that of all its reads", async () => {
    const failure = { kind: "failed", reason: "Forbidden", message: "no" } as const;
    const reads = [get("v1/nodes", "a", nameOf), each("v1/nodes", nameOf), raw("/version", String)];
    const reader = answer({ "/api/v1/nodes/a": failure, "/api/v1/nodes": failure, "/version": failure });
    const { results, stats } = await run(reads, reader);
    assert.deepEqual(results, [failure, failure, failure]);
    assert.deepEqual(
      stats
        .map(({ path, outcome, objects, bytes }) => [path, outcome, objects, bytes])
        .toSorted(([a], [b]) => String(a).localeCompare(String(b))),
      ["/api/v1/nodes", "/api/v1/nodes/a", "/version"].map((path) => [path, "failed", 0, 0]),
    );
  });

  test("and a failure is a value of the read to which it proves something", async () => {
    const failure = { kind: "failed", reason: "ServerError", message: "one can't be converted" } as const;
    const keepFailure = ({ message }: ReadFailure): string | undefined => (message === "" ? undefined : message);
    const reads = [each("v1/nodes", nameOf), { ...each("v1/nodes", nameOf), keepFailure }];
    const { results } = await run(reads, answer({ "/api/v1/nodes": failure }));
    assert.deepEqual(results, [failure, { kind: "found", values: [failure.message] }]);
    const other = await run(reads, answer({ "/api/v1/nodes": { ...failure, message: "" } }));
    assert.deepEqual(
      other.results.map((result) => result?.kind),
      ["failed", "failed"],
    );
  });
});

describe("a list", () => {
  function listing(more: Partial<Record<"lacksManagedFields", true>>, parts: (ListPart | undefined)[] = []): Reader {
    const list: Reader["list"] = async (_, begin, __, part) => {
      parts.push(part);
      const visit = begin(undefined);
      for (const node of NODES) visit(node);
      return { kind: "listed", objects: 2, bytes: 20, ...more };
    };
    return { ...answer({}), list };
  }

  test("is requested as metadata only if all its reads need no more", async () => {
    const parts: (ListPart | undefined)[] = [];
    await run([eachMetadata("v1/nodes", nameOf), eachMetadata("v1/nodes", nameOf)], listing({}, parts));
    await run([eachMetadata("v1/nodes", nameOf), each("v1/nodes", nameOf)], listing({}, parts));
    assert.deepEqual(parts, ["metadata", "whole"]);
  });

  test("without managedFields has a gap for a read of these, and for no other", async () => {
    const reads = [withManagedFields(each("v1/nodes", () => 1)), each("v1/nodes", () => 1)];
    const message = "the archive has its objects without managedFields, so who wrote them is not known";
    const whole = { kind: "found", values: [1, 1] };
    const gap = { kind: "failed", reason: "NotRecorded", message };
    const lacking = await run(reads, listing({ lacksManagedFields: true }));
    assert.deepEqual(lacking.results, [{ ...whole, lacksManagedFields: true, gaps: [gap] }, whole]);
    assert.deepEqual((await run(reads, listing({}))).results, [whole, whole]);
  });

  test("without an object that every cluster has is not whole, and sound only object by object", async () => {
    const reads = [
      each("v1/namespaces", () => 1),
      soundInPart(
        "object",
        each("v1/namespaces", () => 1),
      ),
    ];
    const incomplete = {
      kind: "failed",
      reason: "Incomplete",
      message: "the list lacks kube-system, which every such cluster has: it is not the whole list",
    };
    const namespaces = (...names: readonly string[]) =>
      answer({ "/api/v1/namespaces": names.map((name) => object("v1", "Namespace", name)) });
    const lacking = await run(reads, namespaces("a"), { platform: "openshift" });
    assert.deepEqual(lacking.results, [incomplete, { kind: "found", values: [1], gaps: [incomplete] }]);
    const whole = { kind: "found", values: [1, 1] };
    assert.deepEqual((await run(reads, namespaces("a", "kube-system"), { platform: "openshift" })).results, [
      whole,
      whole,
    ]);
    assert.deepEqual((await run(reads, namespaces("a", "b"))).results, [whole, whole]);
  });

  test("of which every read has too many is given up", async () => {
    const message = "there are too many to judge: a check keeps at most 1 of them";
    const { results } = await run([each("v1/nodes", nameOf)], listing({}), { maxKept: 1 });
    assert.deepEqual(results, [{ kind: "failed", reason: "TooManyObjects", message }]);
  });
});

test("the objects that a list must have depend on the platform", async () => {
  const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const reads = [each("apiextensions.k8s.io/v1/customresourcedefinitions", nameOf), each("v1/namespaces", nameOf)];
  const empty = answer({ [crds]: [], "/api/v1/namespaces": [] });
  const findLacking = async (platform: Platform) =>
    (await run(reads, empty, { platform })).results.map((one) => (one?.kind === "failed" ? one.message : one?.kind));
  const lacks = (name: string) => `the list lacks ${name}, which every such cluster has: it is not the whole list`;
  assert.deepEqual(await findLacking("kubernetes"), ["found", lacks("kube-system")]);
  assert.deepEqual(await findLacking("openshift"), [
    lacks("clusterversions.config.openshift.io"),
    lacks("kube-system"),
  ]);
});

describe("the monitoring", () => {
  async function ask(expressions: readonly string[], answers: Readonly<Record<string, QueryAnswer>>) {
    const asked: string[] = [];
    const reader: Reader = {
      ...answer({}),
      query: async (expression) => {
        asked.push(expression);
        return answers[expression] ?? { kind: "vector", values: [1] };
      },
    };
    const { results, stats } = await run(expressions.map(query), reader);
    return { asked, results, stats };
  }

  test("is asked each expression once, and is no part of what is counted", async () => {
    const noVector = { kind: "noVector", message: "a scalar" } as const;
    const { asked, results, stats } = await ask(["a", "b", "a"], { b: noVector });
    assert.deepEqual(asked, ["a", "b"]);
    const one = { kind: "found", value: { kind: "vector", values: [1] } };
    assert.deepEqual(results, [one, { kind: "found", value: noVector }, one]);
    const counted = { path: "the cluster's monitoring", outcome: "found", objects: 0, bytes: 0 };
    assert.deepEqual(stats, [counted, counted]);
  });

  test("is asked no more once it does not work, but after what is wrong with one expression", async () => {
    const ends = ["Cancelled", "Forbidden", "ServerError", "TimedOut", "Unauthorized", "Unreachable"] as const;
    for (const reason of [...ends, "NotUnderstood", "TooLarge"] as const) {
      const failed = { kind: "failed", reason, message: "no" } as const;
      const { asked, results, stats } = await ask(["a", "b"], { a: failed });
      const isEnd = ends.some((one) => one === reason);
      assert.deepEqual(asked, isEnd ? ["a"] : ["a", "b"], reason);
      const next = isEnd ? failed : { kind: "vector", values: [1] };
      assert.deepEqual(
        results,
        [failed, next].map((value) => ({ kind: "found", value })),
      );
      assert.equal(stats[0]?.outcome, "failed");
    }
  });

  test("is not asked where nobody allowed it", async () => {
    const { results, stats } = await run([query("a")], answer({}));
    assert.deepEqual([results, stats], [[{ kind: "found", value: { kind: "notAllowed" } }], []]);
  });
});
