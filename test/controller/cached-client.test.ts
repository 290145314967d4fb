import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { type CachedClient, createCachedClient } from "../../src/controller/api/cached-client.ts";
import { createScriptedApi, listOf, objectOf, type ScriptedApi, settle } from "../support/controller/scripted-api.ts";

const COLLECTION = "/api/v1/namespaces/n/configmaps";
const PATH = `${COLLECTION}/a`;
const SIGNAL = new AbortController().signal;
const STATUS = { kind: "ok", object: { kind: "Status", metadata: {} } } as const;

type Scene = ScriptedApi & {
  readonly client: CachedClient;
  readonly failures: readonly string[];
  readonly changes: () => number;
  readonly pass: (ms: number) => void;
};

/** A client that watches one ConfigMap, as the first list shows it. */
async function startClient(t: TestContext, first = listOf(5, objectOf("a", 5))): Promise<Scene> {
  const script = createScriptedApi();
  script.answers.set(COLLECTION, first);
  const failures: string[] = [];
  let changes = 0;
  let now = 0;
  const client = createCachedClient({
    api: script.api,
    watched: [{ collection: COLLECTION, name: "a" }],
    maxAgeMs: 10_000,
    clock: () => now,
    sleep: () => new Promise((resolve) => void setImmediate(resolve)),
    onFailure: ({ message }) => void failures.push(message),
  });
  const stop = new AbortController();
  assert.equal(client.isCurrent(), false, "nothing is known before the first list");
  const running = client.run(() => void (changes += 1), stop.signal);
  t.after(async () => {
    stop.abort();
    await running;
  });
  await settle();
  return { ...script, client, failures, changes: () => changes, pass: (ms) => void (now += ms) };
}

async function versionOf(client: CachedClient): Promise<unknown> {
  const answer = await client.read(PATH, SIGNAL);
  return answer.kind === "ok" ? answer.object["metadata"] : answer.kind;
}

describe("a watched object", () => {
  test("is read without a request, as the watch delivers it", async (t) => {
    const { client, send, requests, changes } = await startClient(t);
    assert.deepEqual(await versionOf(client), objectOf("a", 5)["metadata"]);
    send({ kind: "modified", object: objectOf("a", 6) });
    assert.deepEqual(await versionOf(client), objectOf("a", 6)["metadata"]);
    send({ kind: "deleted", object: objectOf("a", 7) });
    assert.equal(await versionOf(client), "absent");
    assert.equal(changes(), 3);
    assert.deepEqual(
      requests.map((one) => one.replace(/\?.*/, "")),
      [`GET ${COLLECTION}`, `WATCH ${COLLECTION}`],
    );
  });

  test("has its kind, which the list of a built-in kind says instead of its items", async (t) => {
    const { client } = await startClient(t, {
      kind: "ok",
      object: { apiVersion: "v1", kind: "ConfigMapList", metadata: {}, items: [objectOf("a", 5)] },
    });
    const answer = await client.read(PATH, SIGNAL);
    assert.deepEqual(answer, { kind: "ok", object: { apiVersion: "v1", kind: "ConfigMap", ...objectOf("a", 5) } });
  });

  test("that can't be listed is answered as the list was, and counts as known", async (t) => {
    const { client, failures } = await startClient(t, { kind: "refused", message: "forbidden" });
    assert.equal(client.isCurrent(), true);
    assert.deepEqual(await client.read(PATH, SIGNAL), { kind: "refused", message: "forbidden" });
    assert.ok(failures.length > 0);
  });

  test("is absent while its kind is not served", async (t) => {
    const { client } = await startClient(t, { kind: "absent", message: "not found" });
    assert.equal(await versionOf(client), "absent");
    assert.equal(client.isCurrent(), true);
  });
});

describe("a watch that ends", () => {
  test("goes on where it was, up to the last bookmark, without another list", async (t) => {
    const { end, send, requests, changes } = await startClient(t);
    send({ kind: "bookmark", object: { metadata: { resourceVersion: "9" } } });
    assert.equal(changes(), 1, "a bookmark is no change");
    await end({ kind: "closed" });
    assert.match(requests.at(-1) ?? "", /^WATCH .*resourceVersion=9&/);
    assert.equal(requests.filter((one) => one.startsWith("GET")).length, 1);
  });

  for (const end of [{ kind: "expired" }, { kind: "unreachable", message: "reset" }] as const)
    test(`because it is ${end.kind} is followed by a list`, async (t) => {
      const scene = await startClient(t);
      scene.answers.set(COLLECTION, listOf(20, objectOf("a", 20)));
      await scene.end(end);
      assert.match(scene.requests.at(-1) ?? "", /^WATCH .*resourceVersion=20&/);
      assert.deepEqual(await versionOf(scene.client), objectOf("a", 20)["metadata"]);
      assert.deepEqual(scene.failures, end.kind === "expired" ? [] : ["reset"]);
    });
});

describe("after a write of its own, a client", () => {
  const write = { method: "PATCH", path: `${PATH}?fieldManager=x`, body: {} } as const;

  test("is behind until the watch has delivered the write, or something later", async (t) => {
    const { client, written, send, changes } = await startClient(t);
    written.answer = { kind: "ok", object: objectOf("a", 7) };
    await client.write(write, SIGNAL);
    assert.equal(client.isCurrent(), false);
    send({ kind: "modified", object: objectOf("a", 6) });
    assert.equal(client.isCurrent(), false, "somebody else's earlier write");
    const before = changes();
    send({ kind: "bookmark", object: { metadata: { resourceVersion: "10" } } });
    assert.equal(client.isCurrent(), true);
    assert.equal(changes(), before + 1, "catching up is an event");
  });

  test("is not behind if the watch was faster than the answer, or if the write changed nothing", async (t) => {
    const { client, written, send } = await startClient(t);
    send({ kind: "modified", object: objectOf("a", 12) });
    written.answer = { kind: "ok", object: objectOf("a", 9) };
    await client.write({ ...write, path: `${PATH}/status` }, SIGNAL);
    assert.equal(client.isCurrent(), true);
  });

  test("is behind until it has seen the object that it created", async (t) => {
    const { client, written, send } = await startClient(t, listOf(5));
    written.answer = { kind: "ok", object: objectOf("a", 6) };
    await client.write({ method: "POST", path: COLLECTION, body: objectOf("a", 0) }, SIGNAL);
    assert.equal(client.isCurrent(), false);
    send({ kind: "modified", object: objectOf("a", 6) });
    assert.equal(client.isCurrent(), true);
  });

  test("is behind until it has seen its deletion", async (t) => {
    for (const answer of [STATUS, { kind: "absent", message: "not found" } as const]) {
      const { client, written, send } = await startClient(t);
      written.answer = answer;
      await client.write({ method: "DELETE", path: PATH }, SIGNAL);
      assert.equal(client.isCurrent(), false);
      send({ kind: "deleted", object: objectOf("a", 6) });
      assert.equal(client.isCurrent(), true);
    }
  });

  test("does not wait for an object that was created again meanwhile", async (t) => {
    const { client, written, send } = await startClient(t);
    written.answer = STATUS;
    const deleting = client.write({ method: "DELETE", path: PATH }, SIGNAL);
    send({ kind: "deleted", object: objectOf("a", 6) });
    send({ kind: "modified", object: objectOf("a", 7, "2") });
    await deleting;
    assert.equal(client.isCurrent(), true);
  });

  test("is not behind after a write that failed", async (t) => {
    const { client, written } = await startClient(t);
    for (const kind of ["conflict", "refused", "unreachable"] as const) {
      written.answer = { kind, message: "no" };
      await client.write(write, SIGNAL);
      assert.equal(client.isCurrent(), true, kind);
    }
  });
});

test("what is not watched is read at most once in a while", async (t) => {
  const { client, requests, pass } = await startClient(t);
  const reads = (): number => requests.filter((one) => one === "GET /api/v1/other").length;
  for (let i = 0; i < 5; i += 1) await client.read("/api/v1/other", SIGNAL);
  assert.equal(reads(), 1);
  pass(9_999);
  await client.read("/api/v1/other", SIGNAL);
  assert.equal(reads(), 1);
  pass(1);
  await client.read("/api/v1/other", SIGNAL);
  assert.equal(reads(), 2);
});
