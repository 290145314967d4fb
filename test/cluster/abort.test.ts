import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { parseResource } from "../../src/model/resource.ts";
import { openReader, serve, writeKubeconfig } from "../support/cluster/mock-server.ts";
import { sendJson } from "../../verify/api-server/api-responses.ts";

const NODES = parseResource("v1/nodes");
const PAGE = 300;
/** Pages of several chunks, and of one. */
const SIZES = [1_000, 10];

for (const size of SIZES)
  test(`an abort while any object of a page is visited ends this list and nothing else (${size} bytes each)`, async (t) => {
    const text = "x".repeat(size);
    const mock = await serve(t, (_, response) => {
      const items = Array.from({ length: PAGE }, (_unused, i) => ({
        metadata: { name: `node-${mock.requests.length}-${i}`, text },
      }));
      sendJson(response, {
        apiVersion: "v1",
        kind: "NodeList",
        metadata: { continue: `${mock.requests.length}` },
        items,
      });
    });
    const { reader } = await openReader(t, writeKubeconfig(t, { cluster: { server: mock.url } }));
    for (let last = PAGE * 2; last > PAGE; last -= 7) {
      const abort = new AbortController();
      let visited = 0;
      const begin = () => () => {
        visited += 1;
        // As the runner does once there are too many objects: not in the middle of a page.
        if (visited === last) queueMicrotask(() => abort.abort());
      };
      const result = await reader.list(NODES, begin, abort.signal);
      assert.equal(result.kind === "failed" && result.reason, "Cancelled");
      await nextTurn();
    }
  });
