import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../../src/cluster/access/connect.ts";
import { createLiveReader } from "../../src/cluster/live/live-reader.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { parseResource } from "../../src/model/resource.ts";
import { createAuthority, noOpenssl } from "../../verify/api-server/certificates.ts";
import {
  createFakeClock,
  createFolder,
  writeKubeconfig,
  neverAborted,
  openReader,
  serve,
} from "../support/cluster/mock-server.ts";
import { sendJson } from "../../verify/api-server/api-responses.ts";
import { startConnectProxy, startSocksProxy } from "../support/cluster/proxies.ts";

const PLACE = { resource: parseResource("v1/nodes"), name: "a" };
const NODE: JsonObject = { apiVersion: "v1", kind: "Node", metadata: { name: "a" } };

test(
  "reaches TLS and plain servers through http, https and socks5 proxies, with one tunnel for many reads",
  { skip: noOpenssl },
  async (t) => {
    const { ca, issue } = createAuthority(createFolder(t));
    const pair = issue("server", "DNS:api.example.test,IP:127.0.0.1");
    const secure = await serve(t, (_, response) => sendJson(response, NODE), pair);
    const plain = await serve(t, (_, response) => sendJson(response, NODE));
    const http = await startConnectProxy(t);
    const socks = await startSocksProxy(t);
    for (const [proxy, url] of [
      [http, `http://us%65r:p%40ss@127.0.0.1:${http.port}`],
      [socks, `socks5://127.0.0.1:${socks.port}`],
    ] as const) {
      for (const server of [`https://api.example.test:${secure.port}`, `http://api.example.test:${plain.port}`]) {
        const cluster = { server, "certificate-authority": ca.certFile, "proxy-url": url };
        const { reader, connection } = await openReader(t, writeKubeconfig(t, { cluster }));
        assert.equal(connection.proxy, url.replace(/\/\/.*@/, "//"));
        assert.partialDeepStrictEqual(await reader.get(PLACE, neverAborted), { kind: "found", object: NODE });
        assert.partialDeepStrictEqual(await reader.get(PLACE, neverAborted), { kind: "found" });
      }
      assert.deepEqual(proxy.requests, [`api.example.test:${secure.port}`, `api.example.test:${plain.port}`]);
    }
    assert.deepEqual(http.logins[0], `Basic ${Buffer.from("user:p@ss").toString("base64")}`);
  },
);

test("uses the proxy from the environment if the kubeconfig has none", async (t) => {
  const plain = await serve(t, (_, response) => sendJson(response, NODE));
  const proxy = await startConnectProxy(t);
  const file = writeKubeconfig(t, { cluster: { server: `http://api.example.test:${plain.port}` } });
  const connection = await connect({ kubeconfig: file, env: { HTTP_PROXY: `127.0.0.1:${proxy.port}` } });
  t.after(connection.close);
  const reader = createLiveReader(connection, { userAgent: "test", clock: createFakeClock() });
  assert.partialDeepStrictEqual(await reader.get(PLACE, neverAborted), { kind: "found" });
  assert.equal(proxy.requests.length, 1);
});

test("reports a proxy that refuses, fails or can't be reached, without its password", async (t) => {
  const denied = await startConnectProxy(t, 407);
  const broken = await startConnectProxy(t, 502);
  for (const [port, says, tries] of [
    [denied.port, "it responded with 407 No", 1],
    [broken.port, "it responded with 502 No", 5],
    [1, "connect ECONNREFUSED 127.0.0.1:1", 5],
  ] as const) {
    const cluster = { server: "https://api.example.test:6443", "proxy-url": `http://u:secret@127.0.0.1:${port}` };
    const { reader, slept } = await openReader(t, writeKubeconfig(t, { cluster }));
    const message = `https://api.example.test:6443: proxy http://127.0.0.1:${port} failed: ${says}`;
    const got = await reader.get(PLACE, neverAborted);
    assert.ok(got.kind === "failed" && got.reason === "Unreachable" && got.message === message, JSON.stringify(got));
    assert.equal(slept.length, tries - 1);
  }
});
