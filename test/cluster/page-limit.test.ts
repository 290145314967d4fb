import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type TestContext, test } from "node:test";
import type { ListPart } from "../../src/model/reader.ts";
import { parseResource } from "../../src/model/resource.ts";
import {
  buildStatus,
  createCollector,
  type MockServer,
  neverAborted,
  openReader,
  serve,
  writeKubeconfig,
} from "../support/cluster/mock-server.ts";
import { sendJson } from "../../verify/api-server/api-responses.ts";

const WIDGETS = parseResource("example.org/v1/widgets");
const SMALL = "x".repeat(400);

/** Serves that many objects by limit and continue, as an API server does. `textOf`: what makes an object large. */
async function servePages(
  t: TestContext,
  count: number,
  textOf: (index: number) => string,
  refuse: (request: IncomingMessage, response: ServerResponse) => boolean = () => false,
): Promise<MockServer> {
  return serve(t, (request, response) => {
    if (refuse(request, response)) return;
    const [start, end] = parseRange(request.url ?? "", count);
    const items = Array.from({ length: end - start }, (_, i) => ({
      metadata: { name: `w${start + i}` },
      text: textOf(start + i),
    }));
    const metadata = end < count ? { continue: `${end}` } : {};
    sendJson(response, { apiVersion: "example.org/v1", items, kind: "WidgetList", metadata });
  });
}

function parseRange(url: string, count: number): readonly [number, number] {
  const start = Number(/continue=(\d+)/.exec(url)?.[1] ?? 0);
  return [start, Math.min(count, start + parseLimit(url))];
}

function parseLimit(url: string): number {
  return Number(/limit=(\d+)/.exec(url)?.[1]);
}

async function listLimits(
  t: TestContext,
  mock: MockServer,
  count: number,
  part?: ListPart,
): Promise<readonly number[]> {
  const { reader } = await openReader(t, writeKubeconfig(t, { cluster: { server: mock.url } }));
  const seen = createCollector();
  const outcome = await reader.list(WIDGETS, seen.begin, neverAborted, part);
  assert.ok(outcome.kind === "listed" && outcome.objects === count, JSON.stringify(outcome));
  const names = Array.from({ length: count }, (_, i) => `w${i}`);
  assert.deepEqual(seen.names(), names);
  return mock.requests.map(({ url = "" }) => parseLimit(url));
}

test("doubles the limit until small objects fill a page of 4 MiB, thousands of them", async (t) => {
  const mock = await servePages(t, 20_000, () => SMALL);
  const limits = await listLimits(t, mock, 20_000);
  assert.deepEqual(limits.slice(0, 6), [250, 500, 1_000, 2_000, 4_000, 8_000]);
  assert.ok(limits.length === 7 && (limits[6] ?? 0) > 8_000 && (limits[6] ?? 0) < 10_000, limits.join(" "));
});

test("requests few large objects at a time, and more once they are small again", async (t) => {
  const mock = await servePages(t, 400, (i) => (i < 300 ? "x".repeat(200_000) : ""));
  const limits = await listLimits(t, mock, 400);
  assert.deepEqual(limits, [250, 20, 20, 20, 40, 80]);
});

test("stays at 500 objects while one as large as the largest would make the page far too large", async (t) => {
  const mock = await servePages(t, 4_000, (i) => (i === 3 ? "x".repeat(300_000) : SMALL));
  const limits = await listLimits(t, mock, 4_000);
  assert.deepEqual(limits, [250, 500, 500, 500, 500, 500, 500, 500, 500]);
});

test("stays at 500 objects for metadata, whose bytes hide the size of the objects", async (t) => {
  const mock = await servePages(t, 2_000, () => "");
  assert.deepEqual(await listLimits(t, mock, 2_000, "metadata"), [250, 500, 500, 500, 500]);
});

test("asks an API server that failed for half as many objects, and resumes after those that have arrived", async (t) => {
  let refusals = 0;
  const mock = await servePages(
    t,
    4_000,
    () => SMALL,
    (request, response) => {
      if (parseLimit(request.url ?? "") !== 1_000 || ++refusals > 1) return false;
      sendJson(response, buildStatus(504, "Timeout", "etcd is slow"), 504);
      return true;
    },
  );
  assert.deepEqual(await listLimits(t, mock, 4_000), [250, 500, 1_000, 500, 1_000, 2_000]);
});

test("passes no object on twice if half of a page is requested again after it broke off", async (t) => {
  let cuts = 0;
  const mock = await servePages(
    t,
    3_000,
    () => SMALL,
    (request, response) => {
      if (parseLimit(request.url ?? "") !== 1_000 || ++cuts > 1) return false;
      const items = Array.from({ length: 700 }, (_, i) =>
        JSON.stringify({ metadata: { name: `w${750 + i}` }, text: SMALL }),
      );
      response.writeHead(200).write(`{"apiVersion":"example.org/v1","items":[${items.join(",")},`);
      setTimeout(() => request.socket.destroy(), 50);
      return true;
    },
  );
  assert.deepEqual(await listLimits(t, mock, 3_000), [250, 500, 1_000, 500, 1_000, 2_000]);
});
