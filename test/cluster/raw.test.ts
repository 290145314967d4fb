import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createLineSplitter } from "../../src/encoding/line-splitter.ts";
import { createRecordedReader } from "../../src/cluster/recorded/recorded-reader.ts";
import { createRecordingReader, writeRecording } from "../../src/cluster/recorded/recording.ts";
import { RECORDED_READS } from "../support/recording-redaction.ts";
import type { LineVisitor, Reader } from "../../src/model/reader.ts";
import {
  createFolder,
  writeKubeconfig,
  neverAborted,
  openReader,
  serve,
  buildStatus,
} from "../support/cluster/mock-server.ts";

type LineCollector = {
  readonly begin: () => LineVisitor;
  readonly all: () => readonly string[];
  readonly begun: () => number;
};

/** Collects lines; those that contain a "w" are wanted. */
function createLineCollector(): LineCollector {
  let seen: readonly string[] = [];
  let begun = 0;
  const begin = (): LineVisitor => {
    [seen, begun] = [[], begun + 1];
    return (line) => {
      seen = [...seen, line];
      return line.includes("w");
    };
  };
  return { begin, all: () => seen, begun: () => begun };
}

test("reads a text line by line, under the server's base path, without a query", async (t) => {
  const mock = await serve(t, (_, response) => {
    response.writeHead(200, { "content-type": "text/plain" });
    for (const part of ["# one\nw t", "wo\r\n", "\nw ü".slice(0, 3), "\u00fc end"]) response.write(part);
    response.end();
  });
  const { reader } = await openReader(t, writeKubeconfig(t, { cluster: { server: `${mock.url}/base` } }));
  const seen = createLineCollector();
  const done = await reader.raw("/metrics", seen.begin, neverAborted);
  assert.equal(done.kind, "read");
  assert.deepEqual(seen.all(), ["# one", "w two", "", "w ü end"]);
  assert.equal(mock.requests[0]?.url, "/base/metrics");
});

test("splits lines the same way for any chunking, and rejects a line that is too long", () => {
  const whole = Buffer.from("a\u00e9\nbb\r\n\nlast \u20ac");
  for (let size = 1; size <= whole.length; size++) {
    const split = createLineSplitter(20);
    const found: string[] = [];
    for (let i = 0; i < whole.length; i += size) found.push(...(split(whole.subarray(i, i + size)) ?? []));
    found.push(...(split(undefined) ?? []));
    assert.deepEqual(found, ["a\u00e9", "bb", "", "last \u20ac"]);
  }
  assert.equal(createLineSplitter(4)(Buffer.from("12345")), undefined);
  assert.equal(createLineSplitter(4)(Buffer.from("12345\n1")), undefined);
});

test("starts over if the connection breaks, and discards the lines visited before", async (t) => {
  const mock = await serve(t, (_, response) => {
    if (mock.requests.length > 1) return void response.end("whole\n");
    response.writeHead(200, { "content-length": "100" });
    response.write("half\n", () => response.destroy());
  });
  const { reader } = await openReader(t, writeKubeconfig(t, { cluster: { server: mock.url } }));
  const seen = createLineCollector();
  assert.deepEqual(await reader.raw("/metrics", seen.begin, neverAborted), { kind: "read", bytes: 6 });
  assert.deepEqual([seen.begun(), seen.all()], [2, ["whole"]]);
});

const REFUSALS: readonly (readonly [string, number, object | string, object])[] = [
  ["forbidden", 403, buildStatus(403, "Forbidden", "no /metrics"), { reason: "Forbidden", message: "no /metrics" }],
  ["not found, although every API server has it", 404, "404 page not found\n", { reason: "NotUnderstood" }],
  ["not found, with a Status", 404, buildStatus(404, "NotFound", "none"), { reason: "NotUnderstood" }],
  ["gone", 410, buildStatus(410, "Gone", "gone"), { reason: "ServerError" }],
  ["not from a Kubernetes API server", 404, "<html>", { reason: "NotUnderstood" }],
];
for (const [what, code, body, expected] of REFUSALS) {
  test(`reports a text that is ${what} as other reads do`, async (t) => {
    const mock = await serve(t, (_, response) => {
      response.writeHead(code).end(typeof body === "string" ? body : JSON.stringify(body));
    });
    const { reader } = await openReader(t, writeKubeconfig(t, { cluster: { server: mock.url } }));
    assert.partialDeepStrictEqual(await reader.raw("/metrics", createLineCollector().begin, neverAborted), expected);
  });
}

test("rejects an endless line as too large, and times out on a silent response", async (t) => {
  const mock = await serve(t, (request, response) => {
    if (request.url === "/large") response.end("x".repeat((1 << 20) + 1));
    else response.write("begun\n");
  });
  const { reader } = await openReader(t, writeKubeconfig(t, { cluster: { server: mock.url } }));
  assert.partialDeepStrictEqual(await reader.raw("/large", createLineCollector().begin, neverAborted), {
    reason: "TooLarge",
  });
  const soon = AbortSignal.timeout(50);
  assert.partialDeepStrictEqual(await reader.raw("/silent", createLineCollector().begin, soon), { reason: "TimedOut" });
});

test("refuses paths of objects and kinds as texts, so that the ban on Secrets can't be bypassed", async (t) => {
  const mock = await serve(t, (_, response) => void response.end("{}"));
  const { reader } = await openReader(t, writeKubeconfig(t, { cluster: { server: mock.url } }));
  const refused = [
    "/api/v1/secrets",
    "/api",
    "/apis/apps/v1/deployments",
    "/x/../api/v1/secrets",
    "//api/v1/secrets",
    "/metrics?a",
    "/%61pi/v1/secrets",
    "metrics",
  ];
  for (const path of refused)
    await assert.rejects(reader.raw(path, createLineCollector().begin, neverAborted), /is not the path of a text/);
  assert.equal(mock.requests.length, 0);
  for (const path of ["/apis", "/apis/apps/v1"])
    assert.partialDeepStrictEqual(await reader.raw(path, createLineCollector().begin, neverAborted), { kind: "read" });
});

const CLUSTER = {
  "/metrics": { lines: ["w one", "two"] },
  "/version": { major: "1", gitVersion: "v1.35.2" },
  "/forbidden": { error: "403 forbidden" },
  "/none": { error: "404 not found" },
  "/list": { items: [] },
};

async function openRecording(t: Parameters<typeof createFolder>[0], cluster: object): Promise<Reader> {
  const dir = createFolder(t);
  writeFileSync(join(dir, "cluster.json"), JSON.stringify(cluster));
  return createRecordedReader(dir);
}

test("replays a recorded text from its lines, or from an object as JSON", async (t) => {
  const reader = await openRecording(t, CLUSTER);
  const seen = createLineCollector();
  assert.deepEqual(await reader.raw("/metrics", seen.begin, neverAborted), { kind: "read", bytes: 10 });
  assert.deepEqual(seen.all(), ["w one", "two"]);
  await reader.raw("/version", seen.begin, neverAborted);
  assert.deepEqual(seen.all(), ['{"major":"1","gitVersion":"v1.35.2"}']);
  const raw = async (path: string, signal = neverAborted): Promise<unknown> => reader.raw(path, seen.begin, signal);
  assert.partialDeepStrictEqual(await raw("/forbidden"), { reason: "Forbidden" });
  assert.deepEqual(await raw("/none"), { kind: "absent", what: "resource" });
  assert.partialDeepStrictEqual(await raw("/list"), { reason: "NotRecorded" });
  assert.partialDeepStrictEqual(await raw("/other"), { reason: "NotRecorded" });
  assert.partialDeepStrictEqual(await raw("/metrics", AbortSignal.abort()), { reason: "Cancelled" });
  for (const odd of [[1], "x", {}])
    await assert.rejects(openRecording(t, { "/metrics": { lines: odd } }), /no known error/);
});

test("records only the wanted lines of a text, and replays them", async (t) => {
  const original = await openRecording(t, {
    ...CLUSTER,
    "/metrics": { lines: ["a", "w: 1", "--w-token=abcdef", "w"] },
  });
  const recording = new Map<string, readonly string[]>();
  const through = createRecordingReader(original, recording, () => RECORDED_READS);
  for (const path of ["/metrics", "/none", "/forbidden", "/other"])
    await through.raw(path, createLineCollector().begin, neverAborted);
  const dir = createFolder(t);
  await writeRecording(recording, dir);
  const replayed = await createRecordedReader(dir);
  const seen = createLineCollector();
  await replayed.raw("/metrics", seen.begin, neverAborted);
  assert.deepEqual(seen.all(), ["w: 1", "--w-token=REDACTED", "w"]);
  assert.deepEqual(await replayed.raw("/none", seen.begin, neverAborted), { kind: "absent", what: "resource" });
  assert.partialDeepStrictEqual(await replayed.raw("/forbidden", seen.begin, neverAborted), { reason: "Forbidden" });
});
