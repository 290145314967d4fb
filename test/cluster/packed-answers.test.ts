import assert from "node:assert/strict";
import type { RequestListener, ServerResponse } from "node:http";
import { type TestContext, test } from "node:test";
import { gzipSync } from "node:zlib";
import { connect } from "../../src/cluster/access/connect.ts";
import { createLiveReader, type LiveReader } from "../../src/cluster/live/live-reader.ts";
import { parseResource } from "../../src/model/resource.ts";
import {
  createCollector,
  createFakeClock,
  type MockServer,
  neverAborted,
  serve,
  writeKubeconfig,
} from "../support/cluster/mock-server.ts";
import { createDistantLink, type Distance } from "../support/cluster/links.ts";

const MIB = 1 << 20;
const NODES = parseResource("v1/nodes");
const NODE = { apiVersion: "v1", kind: "Node", metadata: { name: "a" } };
const LIST = { apiVersion: "v1", kind: "NodeList", metadata: {}, items: Array.from({ length: 3_000 }, buildNode) };
const LIST_TEXT = JSON.stringify(LIST);

function buildNode(_: unknown, index: number): object {
  return { metadata: { name: `n-${index}` } };
}

type Opened = { readonly reader: LiveReader; readonly mock: MockServer; readonly encodings: () => readonly unknown[] };

/** A reader of a mock whose answers are late, or soon, by a clock of its own. */
async function openLink(t: TestContext, where: Distance, handler: RequestListener): Promise<Opened> {
  const mock = await serve(t, handler);
  const connection = await connect({ kubeconfig: writeKubeconfig(t, { cluster: { server: mock.url } }), env: {} });
  t.after(connection.close);
  const link = createDistantLink(where);
  const reader = createLiveReader(connection, { userAgent: "test", clock: createFakeClock(), link });
  return { reader, mock, encodings: () => mock.requests.map(({ headers }) => headers["accept-encoding"]) };
}

function sendPacked(response: ServerResponse, packed: Buffer): void {
  response.writeHead(200, { "content-encoding": "gzip", "content-type": "application/json" }).end(packed);
}

const getNode = ({ reader }: Opened): ReturnType<LiveReader["get"]> =>
  reader.get({ resource: NODES, name: "a" }, neverAborted);

async function listNodes({ reader }: Opened): Promise<{ readonly result: string; readonly names: readonly string[] }> {
  const collector = createCollector();
  const { kind, ...result } = await reader.list(NODES, collector.begin, neverAborted);
  return { result: "reason" in result ? `${result.reason}: ${result.message}` : kind, names: collector.names() };
}

/** As API servers do: what is asked for. */
const answerAsAsked: RequestListener = ({ url = "", headers }, response) => {
  const text = url.endsWith("/a") ? JSON.stringify(NODE) : LIST_TEXT;
  if (headers["accept-encoding"] === "gzip") sendPacked(response, gzipSync(text));
  else response.end(text);
};

for (const [where, asked] of [
  ["far", "gzip"],
  ["near", "identity"],
] as const)
  test(`an API server that is ${where} is asked for ${asked}, and the result is the same`, async (t) => {
    const opened = await openLink(t, where, answerAsAsked);
    for (let i = 0; i < 2; i++) assert.equal((await getNode(opened)).kind, "found");
    const { result, names } = await listNodes(opened);
    assert.deepEqual([result, names], ["listed", LIST.items.map((_, i) => `n-${i}`)]);
    assert.partialDeepStrictEqual(await getNode(opened), { kind: "found", object: NODE });
    assert.deepEqual(opened.encodings(), ["identity", "identity", asked, asked]);
    assert.equal(opened.mock.sockets.size, 1);
    const { wireBytes, bytes } = opened.reader.summarizeTraffic();
    assert.equal(bytes, LIST_TEXT.length + 3 * JSON.stringify(NODE).length);
    assert.ok(asked === "gzip" ? wireBytes < bytes / 4 : wireBytes === bytes, `${wireBytes} of ${bytes}`);
  });

test("reads a compressed answer that nobody asked for", async (t) => {
  const opened = await openLink(t, "near", ({ url = "" }, response) =>
    sendPacked(response, gzipSync(url.endsWith("/a") ? JSON.stringify(NODE) : LIST_TEXT)),
  );
  const found = await getNode(opened);
  assert.deepEqual(found, { kind: "found", object: NODE, bytes: JSON.stringify(NODE).length });
  assert.deepEqual((await listNodes(opened)).names.length, LIST.items.length);
  assert.deepEqual(opened.encodings(), ["identity", "identity"]);
});

const PACKED = gzipSync(LIST_TEXT);
const DAMAGED: Readonly<Record<string, Buffer>> = {
  "cut short": PACKED.subarray(0, PACKED.length >> 1),
  "with another checksum": Buffer.from(PACKED.map((byte, i) => (i === PACKED.length - 8 ? byte ^ 0xff : byte))),
  "that is none": Buffer.from(LIST_TEXT),
};

for (const [what, packed] of Object.entries(DAMAGED))
  test(`gzip ${what} is read uncompressed instead`, async (t) => {
    const opened = await openLink(t, "far", (request, response) =>
      request.headers["accept-encoding"] === "gzip" ? sendPacked(response, packed) : answerAsAsked(request, response),
    );
    for (let i = 0; i < 2; i++) await getNode(opened);
    const { result, names } = await listNodes(opened);
    assert.deepEqual([result, names.length, new Set(names).size], ["listed", LIST.items.length, LIST.items.length]);
    assert.deepEqual(opened.encodings().slice(2), ["gzip", "identity"]);
    await getNode(opened);
    assert.equal(opened.encodings().at(-1), "identity");
  });

test("gzip that unpacks to something else is no list", async (t) => {
  const flipped = Buffer.from(PACKED.map((byte, i) => (i === PACKED.length >> 1 ? byte ^ 0xff : byte)));
  const opened = await openLink(t, "near", (_, response) => sendPacked(response, flipped));
  assert.match((await listNodes(opened)).result, /^NotUnderstood: /);
});

test("gzip that stays damaged is no list", async (t) => {
  const opened = await openLink(t, "far", (_, response) => sendPacked(response, PACKED.subarray(0, 40)));
  const { result } = await listNodes(opened);
  assert.match(result, /^NotUnderstood: \/api\/v1\/nodes was answered with gzip that can't be unpacked/);
});

test("an answer whose connection breaks while it is unpacked is requested again", async (t) => {
  const opened = await openLink(t, "near", (request, response) => {
    if (opened.mock.requests.length > 1) return answerAsAsked(request, response);
    response.writeHead(200, { "content-encoding": "gzip", "content-length": PACKED.length });
    return response.write(PACKED.subarray(0, PACKED.length >> 1), () => request.socket.destroy());
  });
  const { result, names } = await listNodes(opened);
  assert.deepEqual([result, names.length], ["listed", LIST.items.length]);
});

/** A list that does not end: each megabyte of it takes a kilobyte. */
function sendBomb(response: ServerResponse): void {
  response.writeHead(200, { "content-encoding": "gzip" });
  const blanks = gzipSync(Buffer.alloc(MIB, " "));
  response.write(gzipSync('{"apiVersion":"v1","kind":"NodeList","metadata":{},"items":['));
  writeForever(response, blanks);
}

function writeForever(response: ServerResponse, part: Buffer): void {
  const more = (): void => {
    while (!response.destroyed) if (!response.write(part)) return void response.once("drain", more);
  };
  more();
}

test("a bomb ends at the limits of any other answer", async (t) => {
  const opened = await openLink(t, "near", (_, response) => sendBomb(response));
  const { result } = await listNodes(opened);
  assert.match(result, /^TooLarge: A page of \/api\/v1\/nodes has more than 64 MiB/);
  const listed = opened.reader.summarizeTraffic().bytes;
  assert.ok(listed <= opened.mock.requests.length * 65 * MIB, `${listed} bytes of a list`);
  const found = await getNode(opened);
  assert.equal(found.kind === "failed" && found.reason, "TooLarge");
  const unpacked = opened.reader.summarizeTraffic().bytes - listed;
  assert.ok(unpacked <= 9 * MIB, `${unpacked} bytes of an object`);
});

/** Ends a part of gzip without content. */
const EMPTY_PART = Buffer.from([0, 0, 0, 0xff, 0xff]);

test("gzip without content ends, too", async (t) => {
  const opened = await openLink(t, "near", (_, response) => {
    response.writeHead(200, { "content-encoding": "gzip" });
    response.write(gzipSync("").subarray(0, 10));
    writeForever(response, Buffer.concat(Array.from({ length: 10_000 }, () => EMPTY_PART)));
  });
  assert.match((await listNodes(opened)).result, /^NotUnderstood: .* can't be unpacked/);
  const { wireBytes, requests } = opened.reader.summarizeTraffic();
  assert.ok(wireBytes <= requests * 1.5 * MIB, `${wireBytes} bytes in ${requests} requests`);
});
