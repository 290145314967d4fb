// Prints how many bytes V8 allocates for each object of a list, from the bytes that arrive to its verdict: `allocated-bytes.ts KIND`, by
// `runAllocatedBytes`, whose flags make the figure the same each time.
import assert from "node:assert/strict";
import pLimit from "p-limit";
import { getMinors } from "../../../src/checks/crd-skew/crd-pair.ts";
import { planKind } from "../../../src/checks/crd-skew/kind-plan.ts";
import { buildObjectsReads } from "../../../src/checks/crd-skew/objects.ts";
import { createListEvidence } from "../../../src/cluster/access/list-evidence.ts";
import { createTransport } from "../../../src/cluster/access/transport.ts";
import { readPage } from "../../../src/cluster/live/list-page.ts";
import { buildContext } from "../../../src/model/check.ts";
import { parseCrd } from "../../../src/model/crd.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { type Each, each } from "../../../src/model/read.ts";
import type { Reader } from "../../../src/model/reader.ts";
import { gather } from "../../../src/runner/gather/gather.ts";
import { WIDGETS_PATH, buildInstalledCrd, buildTargetCrd, formatWidget } from "../../../verify/bench/widgets.ts";
import { release, version } from "../fixtures.ts";

/** So many that V8 has compiled by then what it compiles. */
const WARM = 20_000;
const MEASURED = 10_000;
/** As they arrive from a socket. */
const CHUNK = 64 << 10;

function buildCrdRead(target: JsonObject): Each {
  const context = buildContext(version("4.18.8"), release("4.19.2"), new Date("2026-01-15T10:00:00Z"));
  const installed = parseCrd(buildInstalledCrd());
  const crd = parseCrd(target);
  assert.ok(installed && crd);
  const pair = { installed, target: crd };
  const plan = planKind(pair, getMinors(context));
  const [only] = plan ? buildObjectsReads(pair, plan, context) : [];
  assert.ok(only);
  return only[1];
}

const KILOBYTE = Array.from({ length: 128 }, (_, i) => i);
let last: object = KILOBYTE;

const READS: Readonly<Record<string, () => Each>> = {
  rules: () => buildCrdRead(buildTargetCrd()),
  "no rules": () => buildCrdRead(buildTargetCrd([])),
  "keep only": () => each("load.preflight.test/v1/widgets", () => undefined),
  "kilobyte more": () => each("load.preflight.test/v1/widgets", () => void (last = KILOBYTE.slice())),
};

function formatList(count: number): readonly Buffer[] {
  const items = Array.from({ length: count }, (_, i) => formatWidget(i)).join(",");
  const head = `"apiVersion":"load.preflight.test/v1","kind":"WidgetList","metadata":{"resourceVersion":"1"}`;
  const bytes = Buffer.from(`{${head},"items":[${items}]}`);
  const chunks = Math.ceil(bytes.length / CHUNK);
  return Array.from({ length: chunks }, (_, i) => bytes.subarray(i * CHUNK, (i + 1) * CHUNK));
}

const unused = (): never => assert.fail("this reader only lists");
const connection = { server: "", context: "", origin: "", getAuth: unused, renewAuth: unused, close: unused };
const transport = createTransport(connection, { userAgent: "" });

function createReader(chunks: readonly Buffer[]): Reader {
  return {
    get: unused,
    raw: unused,
    async list(resource, begin, signal) {
      const visit = begin(undefined);
      const evidence = createListEvidence({ subject: "the list", resource });
      const rest = chunks.values();
      const body = async () => {
        const { value: chunk } = rest.next();
        return chunk === undefined ? ({ kind: "end" } as const) : ({ kind: "chunk", chunk } as const);
      };
      const visitItem = (object: JsonObject) => {
        const failure = evidence.addItem(object);
        if (failure === undefined) visit(object);
        return failure;
      };
      const request = { transport, path: WIDGETS_PATH, signal, resource };
      const page = await readPage(request, body, visitItem, evidence.endPage);
      assert.ok(page.kind === "done" && page.value.kind === "page");
      return { kind: "listed", objects: page.value.objects, bytes: page.value.bytes };
    },
  };
}

async function readObjects(read: Each, count: number, chunks: readonly Buffer[]): Promise<void> {
  let objects = 0;
  const result = await gather([read], {
    reader: createReader(chunks),
    limit: pLimit(1),
    signal: new AbortController().signal,
    maxKept: 1,
    onRead: (stats) => void (objects += stats.objects),
  });
  assert.deepEqual(result.get(read), { kind: "found", values: [] });
  assert.equal(objects, count);
}

const read = READS[process.argv[2] ?? ""]?.();
assert.ok(read);
const measured = formatList(MEASURED);
await readObjects(read, WARM, formatList(WARM));
globalThis.gc?.();
const before = process.memoryUsage().heapUsed;
await readObjects(read, MEASURED, measured);
const bytes = (process.memoryUsage().heapUsed - before) / MEASURED;
assert.ok(last);
console.log(bytes);
