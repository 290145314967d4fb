import assert from "node:assert/strict";
import { lstatSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createRecordedReader } from "../../src/cluster/recorded/recorded-reader.ts";
import { type Recording, createRecordingReader, writeRecording } from "../../src/cluster/recorded/recording.ts";
import { RECORDED_READS } from "../support/recording-redaction.ts";
import { FailedError } from "../../src/model/errors.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import type { Reader } from "../../src/model/reader.ts";
import { parseResource } from "../../src/model/resource.ts";
import { createCollector, createFolder, neverAborted } from "../support/cluster/mock-server.ts";

const NODES = parseResource("v1/nodes");
const PODS = parseResource("v1/pods");

function buildObject(kind: string, name: string, namespace?: string): JsonObject {
  return { apiVersion: "v1", kind, metadata: { name, ...(namespace ? { namespace } : {}) } };
}

const CLUSTER: Readonly<Record<string, Json>> = {
  "/api/v1/nodes": {
    kind: "NodeList",
    apiVersion: "v1",
    items: [{ metadata: { name: "a" } }, buildObject("Node", "b")],
  },
  "/api/v1/nodes/b": { error: { reason: "Forbidden", message: "not b" } },
  "/api/v1/pods": { items: [buildObject("Pod", "p", "x")] },
  "/api/v1/services": { error: "403 forbidden" },
  "/api/v1/events": { error: "404 not found" },
  "/api/v1/namespaces/x/events/e": { error: "404 not found", what: "resource" },
  "/apis/a.io/v1/cs/one": { apiVersion: "a.io/v1", kind: "C", metadata: { name: "one" }, items: [1], error: "x" },
  "/apis/a.io/v1/cs/none": { error: "404 not found" },
  "/apis/a.io/v1/es": { error: "503 webhook down" },
  "/apis/a.io/v1/fs": { error: "TimedOut" },
};

async function openRecording(t: Parameters<typeof createFolder>[0], cluster: Json): Promise<Reader> {
  const dir = createFolder(t);
  writeFileSync(join(dir, "cluster.json"), JSON.stringify(cluster));
  return createRecordedReader(dir);
}

test("answers gets from a recorded get, or from a list of the kind", async (t) => {
  const recorded = await openRecording(t, CLUSTER);
  const get = async (of: string, name: string, namespace?: string): Promise<unknown> =>
    recorded.get({ resource: parseResource(of), name, ...(namespace ? { namespace } : {}) }, neverAborted);
  assert.deepEqual(await get("v1/nodes", "a"), { kind: "found", object: buildObject("Node", "a"), bytes: 57 });
  assert.deepEqual(await get("v1/nodes", "b"), { kind: "failed", reason: "Forbidden", message: "not b" });
  assert.deepEqual(await get("v1/nodes", "c"), { kind: "absent", what: "object" });
  assert.partialDeepStrictEqual(await get("v1/pods", "p", "x"), { kind: "found" });
  assert.deepEqual(await get("v1/pods", "p", "y"), { kind: "absent", what: "object" });
  assert.deepEqual(await get("v1/events", "e", "y"), { kind: "absent", what: "resource" });
  assert.deepEqual(await get("v1/events", "e", "x"), { kind: "absent", what: "resource" });
  assert.partialDeepStrictEqual(await get("a.io/v1/cs", "one"), { kind: "found" });
  assert.deepEqual(await get("a.io/v1/cs", "none"), { kind: "absent", what: "object" });
  assert.partialDeepStrictEqual(await get("a.io/v1/cs", "two"), { kind: "failed", reason: "NotRecorded" });
});

test("answers lists, and replays failures as recorded", async (t) => {
  const recorded = await openRecording(t, CLUSTER);
  const seen = createCollector();
  assert.deepEqual(await recorded.list(NODES, seen.begin, neverAborted), { kind: "listed", objects: 2, bytes: 114 });
  assert.deepEqual(seen.objects(), [buildObject("Node", "a"), buildObject("Node", "b")]);
  const list = async (of: string, signal = neverAborted): Promise<unknown> =>
    recorded.list(parseResource(of), seen.begin, signal);
  assert.deepEqual(await list("v1/services"), { kind: "failed", reason: "Forbidden", message: "403 forbidden" });
  assert.deepEqual(await list("v1/events"), { kind: "absent", what: "resource" });
  assert.partialDeepStrictEqual(await list("a.io/v1/es"), { reason: "ServerError", message: "503 webhook down" });
  assert.partialDeepStrictEqual(await list("a.io/v1/fs"), { reason: "TimedOut" });
  const message = "/apis/a.io/v1/ds was not recorded: record the cluster again";
  assert.deepEqual(await list("a.io/v1/ds"), { kind: "failed", reason: "NotRecorded", message });
  assert.partialDeepStrictEqual(await list("v1/nodes", AbortSignal.abort()), { reason: "Cancelled" });
});

test("a list that shows that it is not whole is a failed read, and so is an object of it", async (t) => {
  const items = [buildObject("Node", "a")];
  const lists: readonly (readonly [JsonObject, string, RegExp])[] = [
    [
      { items, metadata: { continue: "x" } },
      "Incomplete",
      /^the recording of \/api\/v1\/nodes answers with a list that is/,
    ],
    [{ items: [], metadata: { remainingItemCount: 3 } }, "Incomplete", /3 more objects follow/],
    [{ items: [...items, ...items] }, "Incomplete", /a is in it twice/],
    [{ items: [{}] }, "Incomplete", /has no name/],
    [
      { items: [], kind: "PodList", apiVersion: "v1" },
      "NotUnderstood",
      /answers with PodList of v1, not with nodes of v1/,
    ],
  ];
  for (const [list, reason, message] of lists) {
    const recorded = await openRecording(t, { ...CLUSTER, "/api/v1/nodes": list });
    for (const result of [
      await recorded.list(NODES, createCollector().begin, neverAborted),
      await recorded.get({ resource: NODES, name: "z" }, neverAborted),
    ]) {
      assert.ok(result.kind === "failed" && result.reason === reason, JSON.stringify(result));
      assert.match(result.message, message);
    }
    assert.partialDeepStrictEqual(await recorded.list(PODS, createCollector().begin, neverAborted), { kind: "listed" });
  }
});

const BAD: readonly (readonly [string, string, RegExp])[] = [
  ["invalid JSON", "{", /cluster.json is not a recorded cluster: /],
  ["a list", "[]", /holds no JSON object/],
  ["an unexpected key", '{"nodes":{}}', /the key nodes is not an API path/],
  ["a string", '{"/api/v1/nodes":"x"}', /\/api\/v1\/nodes holds no object/],
  ["invalid items", '{"/api/v1/nodes":{"items":[1]}}', /holds no object, no items/],
  ["an unknown reason", '{"/api/v1/nodes":{"error":{"reason":"Bored"}}}', /no known error/],
  ["an unknown status", '{"/api/v1/nodes":{"error":"299 odd"}}', /no known error/],
  ["an unknown absence", '{"/api/v1/nodes":{"error":"404 not found","what":"x"}}', /no known error/],
];

for (const [what, text, expected] of BAD) {
  test(`refuses a recording with ${what} in one line`, async (t) => {
    const file = join(createFolder(t), "cluster.json");
    writeFileSync(file, text);
    const refused = (error: unknown): boolean =>
      error instanceof FailedError && expected.test(error.message) && !error.message.includes("\n");
    await assert.rejects(createRecordedReader(file), refused);
  });
}

test("reports a missing recording", async (t) => {
  const dir = createFolder(t);
  await assert.rejects(
    createRecordedReader(dir),
    /The recorded cluster .*cluster.json can't be read: it does not exist: name a folder/,
  );
  await assert.rejects(
    createRecordedReader(join(dir, "none")),
    /The recorded cluster .*none can't be read: it does not exist: name a folder/,
  );
});

test("records reads, replays them with the same results, and writes the same bytes each time", async (t) => {
  const original = await openRecording(t, CLUSTER);
  const dir = join(createFolder(t), "new", "folder");
  const recording: Recording = new Map();
  const through = createRecordingReader(original, recording, () => RECORDED_READS);
  const reads = async (from: Reader): Promise<unknown[]> => {
    const nodes = createCollector();
    const pods = createCollector();
    return [
      await from.list(PODS, pods.begin, neverAborted),
      await from.list(NODES, nodes.begin, neverAborted),
      nodes.objects(),
      pods.objects(),
      await from.list(parseResource("v1/services"), pods.begin, neverAborted),
      await from.list(parseResource("v1/events"), pods.begin, neverAborted),
      await from.get({ resource: NODES, name: "a" }, neverAborted),
      await from.get({ resource: NODES, name: "c" }, neverAborted),
      await from.get({ resource: NODES, name: "b" }, neverAborted),
    ];
  };
  const live = await reads(through);
  await writeRecording(recording, dir);
  assert.deepEqual(readdirSync(dir), ["cluster.json"]);
  const dropKept = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value, (key, inner: unknown) => (key === "keptFields" ? undefined : inner)));
  assert.deepEqual(dropKept(await reads(await createRecordedReader(dir))), dropKept(live));
  const text = readFileSync(join(dir, "cluster.json"), "utf8");
  assert.deepEqual(Object.keys(JSON.parse(text)), Object.keys(JSON.parse(text)).toSorted());
  await writeRecording(new Map([...recording].toReversed()), dir);
  assert.equal(readFileSync(join(dir, "cluster.json"), "utf8"), text);
});

test("records only the last attempt of a list that started over", async () => {
  const recording: Recording = new Map();
  const twice: Reader = {
    get: async () => ({ kind: "absent", what: "object" }),
    list: async (_, begin) => {
      begin(undefined)(buildObject("Node", "void"));
      begin(undefined)(buildObject("Node", "kept"));
      return { kind: "listed", objects: 1, bytes: 0 };
    },
    raw: async (_, begin) => {
      begin()("void");
      const visit = begin();
      for (const line of ["unwanted", "password: hunter2", "kept"]) visit(line);
      return { kind: "read", bytes: 0 };
    },
  };
  const seen = createCollector();
  await createRecordingReader(twice, recording, () => RECORDED_READS).list(NODES, seen.begin, neverAborted);
  assert.deepEqual([seen.begun(), seen.names()], [2, ["kept"]]);
  assert.deepEqual(JSON.parse(recording.get("/api/v1/nodes")?.join("") ?? ""), {
    items: [buildObject("Node", "kept")],
  });
});

test("keeps only the old recording if the new one can't be written", async (t) => {
  const dir = createFolder(t);
  writeFileSync(join(dir, "cluster.json"), "old");
  mkdirSync(join(dir, "cluster.json.new"));
  await assert.rejects(writeRecording(new Map([["/api/v1/nodes", ["{}"]]]), dir), FailedError);
  assert.equal(readFileSync(join(dir, "cluster.json"), "utf8"), "old");
});

test("writes through no link that lies in the folder", async (t) => {
  const dir = createFolder(t);
  const other = join(createFolder(t), "profile");
  writeFileSync(other, "mine");
  for (const name of ["cluster.json", "cluster.json.new"]) symlinkSync(other, join(dir, name));
  await writeRecording(new Map([["/api/v1/nodes", ["{}"]]]), dir);
  assert.equal(readFileSync(other, "utf8"), "mine");
  assert.deepEqual(JSON.parse(readFileSync(join(dir, "cluster.json"), "utf8")), { "/api/v1/nodes": {} });
  assert.equal(lstatSync(join(dir, "cluster.json")).mode & 0o777, 0o600);
});
