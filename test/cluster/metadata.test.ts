import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createRecordedReader } from "../../src/cluster/recorded/recorded-reader.ts";
import { type Recording, createRecordingReader, writeRecording } from "../../src/cluster/recorded/recording.ts";
import { RECORDED_READS } from "../support/recording-redaction.ts";
import { type JsonObject, objectAt } from "../../src/model/json.ts";
import { each, eachMetadata } from "../../src/model/read.ts";
import type { ListPart, Reader } from "../../src/model/reader.ts";
import { parseResource } from "../../src/model/resource.ts";
import { createTurnLimit } from "../../src/runner/gather/gathering.ts";
import { gather } from "../../src/runner/gather/gather.ts";
import {
  createCollector,
  createFolder,
  writeKubeconfig,
  neverAborted,
  openReader,
  serve,
} from "../support/cluster/mock-server.ts";
import { sendJson } from "../../verify/api-server/api-responses.ts";

const SECRETS = parseResource("v1/secrets");
const CONTENT = "aHVudGVyMg==";

/** A Secret as an API server stores it, with its content in every place it can appear. */
const SECRET: JsonObject = {
  metadata: {
    namespace: "demo",
    name: "a",
    annotations: {
      "kubectl.kubernetes.io/last-applied-configuration": JSON.stringify({
        apiVersion: "v1",
        data: { password: CONTENT },
      }),
      "example.com/note": CONTENT,
      "example.com/not-after": "2026-03-01T12:00:00Z",
    },
    managedFields: [{ manager: "demo", apiVersion: "v1", fieldsV1: { note: CONTENT }, other: CONTENT }],
  },
  type: "Opaque",
  data: { password: CONTENT },
  stringData: { password: CONTENT },
};

const METADATA_ONLY = {
  metadata: {
    namespace: "demo",
    name: "a",
    annotations: {
      "kubectl.kubernetes.io/last-applied-configuration": '{"apiVersion":"v1"}',
      "example.com/note": CONTENT,
      "example.com/not-after": "2026-03-01T12:00:00Z",
    },
    managedFields: [{ manager: "demo", apiVersion: "v1" }],
  },
};

const withName = (object: JsonObject, name: string): JsonObject => ({
  ...object,
  metadata: { ...objectAt(object, "metadata"), name },
});

test("requests only metadata on every page, and passes on nothing else even if it receives more", async (t) => {
  const mock = await serve(t, (request, response) => {
    const isSecond = request.url?.includes("continue=");
    const whole = { kind: "SecretList", apiVersion: "v1", metadata: {}, items: [withName(SECRET, "b")] };
    const { data: _data, stringData: _more, type: _type, ...part } = SECRET;
    const head = { kind: "PartialObjectMetadataList", apiVersion: "meta.k8s.io/v1", metadata: { continue: "next" } };
    sendJson(response, isSecond ? whole : { ...head, items: [part] });
  });
  const { reader } = await openReader(t, writeKubeconfig(t, { cluster: { server: mock.url } }));
  const seen = createCollector();
  const done = await reader.list(SECRETS, seen.begin, neverAborted, "metadata");
  assert.equal(done.kind === "listed" && done.objects, 2);
  assert.deepEqual(seen.objects(), [
    { apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadata", ...METADATA_ONLY },
    { apiVersion: "v1", kind: "Secret", ...withName(METADATA_ONLY, "b") },
  ]);
  const accepted = mock.requests.map(({ headers }) => headers.accept);
  assert.deepEqual(accepted, Array(2).fill("application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"));
});

test("still refuses Secrets if more than their metadata is requested", async (t) => {
  const mock = await serve(t, (_, response) => sendJson(response, {}));
  const { reader } = await openReader(t, writeKubeconfig(t, { cluster: { server: mock.url } }));
  const parts: readonly (ListPart | undefined)[] = [undefined, "whole"];
  for (const part of parts)
    await assert.rejects(reader.list(SECRETS, createCollector().begin, neverAborted, part), /Secrets are never read/);
  await assert.rejects(
    reader.get({ resource: SECRETS, namespace: "a", name: "b" }, neverAborted),
    /Secrets are never read/,
  );
  assert.equal(mock.requests.length, 0);
});

test("records metadata, redacts annotations other than times, and replays it", async (t) => {
  const recording: Recording = new Map();
  const dir = createFolder(t);
  const seen = createCollector();
  await createRecordingReader(createListReader([SECRET]), recording, () => RECORDED_READS).list(
    SECRETS,
    seen.begin,
    neverAborted,
    "metadata",
  );
  await writeRecording(recording, dir);
  const text = readFileSync(join(dir, "cluster.json"), "utf8");
  assert.ok(!text.includes(CONTENT) && !text.includes("hunter2"), text);
  const replayed = createCollector();
  await (await createRecordedReader(dir)).list(SECRETS, replayed.begin, neverAborted, "metadata");
  assert.partialDeepStrictEqual(replayed.objects(), [
    {
      metadata: {
        name: "a",
        annotations: { "example.com/note": "REDACTED", "example.com/not-after": "2026-03-01T12:00:00Z" },
      },
    },
  ]);
});

test("uses only the metadata of a recording that holds more", async (t) => {
  const dir = createFolder(t);
  writeFileSync(join(dir, "cluster.json"), JSON.stringify({ "/api/v1/secrets": { items: [SECRET] } }));
  const seen = createCollector();
  await (await createRecordedReader(dir)).list(SECRETS, seen.begin, neverAborted, "metadata");
  assert.deepEqual(seen.objects(), [{ apiVersion: "", kind: "", ...METADATA_ONLY }]);
});

test("lists a kind once if one read needs whole objects and another only metadata", async () => {
  const asked: (ListPart | undefined)[] = [];
  const tools = {
    reader: createListReader([SECRET], asked),
    limit: createTurnLimit(() => 1),
    signal: neverAborted,
    timeout: 60_000,
    onRead: () => undefined,
    maxKept: 10,
  };
  const whole = each("v1/pods", (object) => object);
  const bare = eachMetadata("v1/pods", (object) => object);
  const both = await gather([whole, bare], tools);
  assert.deepEqual(both.get(whole), { kind: "found", values: [SECRET] });
  assert.deepEqual(both.get(bare), { kind: "found", values: [{ apiVersion: "", kind: "", ...METADATA_ONLY }] });
  await gather([bare], tools);
  assert.deepEqual(asked, ["whole", "metadata"]);
});

/** A reader with one list of whole objects, even if only metadata is requested. */
function createListReader(items: readonly JsonObject[], asked: (ListPart | undefined)[] = []): Reader {
  return {
    get: async () => ({ kind: "absent", what: "object" }),
    raw: async () => ({ kind: "absent", what: "resource" }),
    list: async (_resource, begin, _signal, part) => {
      asked.push(part);
      const visit = begin(undefined);
      for (const item of items) visit(item);
      return { kind: "listed", objects: items.length, bytes: 1 };
    },
  };
}
