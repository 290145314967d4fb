import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../../src/cluster/access/connect.ts";
import { createLiveReader } from "../../src/cluster/live/live-reader.ts";
import { parseResource } from "../../src/model/resource.ts";
import {
  createCollector,
  createFakeClock,
  neverAborted,
  serve,
  writeKubeconfig,
} from "../support/cluster/mock-server.ts";

test("the ConfigMaps of one namespace are listed by their label, page by page", async (t) => {
  const server = await serve(t, ({ url }, response) => {
    const { searchParams } = new URL(url ?? "/", "http://localhost");
    const isFirst = !searchParams.has("continue");
    const items = [{ metadata: { name: isFirst ? "one" : "two", namespace: "demo" } }];
    const metadata = isFirst ? { continue: "to/ken" } : {};
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ apiVersion: "v1", kind: "ConfigMapList", metadata, items }));
  });
  const connection = await connect({ kubeconfig: writeKubeconfig(t, { cluster: { server: server.url } }), env: {} });
  t.after(connection.close);
  const options = { userAgent: "test", clock: createFakeClock() };
  const { begin, names } = createCollector();
  const { listSelected } = createLiveReader(connection, options);
  const selection = { namespace: "demo", labelSelector: "example.com/kind" };
  const result = await listSelected?.(parseResource("v1/configmaps"), selection, begin, neverAborted);
  assert.equal(result?.kind, "listed");
  assert.deepEqual(names(), ["one", "two"]);
  const requests = server.requests.map(({ url }) => new URL(url ?? "/", "http://localhost"));
  assert.ok(requests.every(({ pathname }) => pathname === "/api/v1/namespaces/demo/configmaps"));
  assert.deepEqual(
    requests.map(({ searchParams }) => [searchParams.get("labelSelector"), searchParams.get("continue")]),
    [
      ["example.com/kind", null],
      ["example.com/kind", "to/ken"],
    ],
  );
});
