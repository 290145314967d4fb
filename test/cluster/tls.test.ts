import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { TLSSocket } from "node:tls";
import { type TestContext, test } from "node:test";
import type { JsonObject } from "../../src/model/json.ts";
import { parseResource } from "../../src/model/resource.ts";
import { runPreflight } from "../../verify/shared/preflight.ts";
import { createAuthority, noOpenssl } from "../../verify/api-server/certificates.ts";
import { createFolder, writeKubeconfig, neverAborted, openReader, serve } from "../support/cluster/mock-server.ts";
import { sendJson } from "../../verify/api-server/api-responses.ts";

const PLACE = { resource: parseResource("v1/nodes"), name: "a" };
const NODE: JsonObject = { apiVersion: "v1", kind: "Node", metadata: { name: "a" } };
const answer: RequestListener = (_, response) => sendJson(response, NODE);

async function readNode(t: TestContext, cluster: JsonObject, user?: JsonObject): Promise<unknown> {
  const { reader } = await openReader(t, writeKubeconfig(t, user ? { cluster, user } : { cluster }));
  return reader.get(PLACE, neverAborted);
}

test("verifies certificates as the kubeconfig specifies", { skip: noOpenssl }, async (t) => {
  const { ca, issue } = createAuthority(createFolder(t));
  const mock = await serve(t, answer, issue("server", "IP:127.0.0.1,DNS:api.example.com"));
  const other = await serve(t, answer, issue("other", "DNS:api.example.com"));
  const expired = await serve(t, answer, issue("expired", "IP:127.0.0.1", -1));
  const plain = await serve(t, answer);
  const trusted = { "certificate-authority": ca.certFile };
  const found = { kind: "found", object: NODE };
  const data = {
    "certificate-authority-data": Buffer.from(ca.cert).toString("base64"),
    "certificate-authority": "/none",
  };
  assert.partialDeepStrictEqual(await readNode(t, { server: mock.url, ...trusted }), found);
  assert.partialDeepStrictEqual(await readNode(t, { server: mock.url, ...data }), found);
  assert.partialDeepStrictEqual(await readNode(t, { server: other.url, "insecure-skip-tls-verify": true }), found);
  assert.partialDeepStrictEqual(
    await readNode(t, { server: other.url, ...trusted, "tls-server-name": "api.example.com" }),
    found,
  );
  const messages: readonly (readonly [JsonObject, string])[] = [
    [{ server: mock.url }, `${mock.url}: its certificate is not trusted`],
    [{ server: other.url, ...trusted }, `${other.url}: its certificate is for another name`],
    [{ server: expired.url, ...trusted }, `${expired.url}: its certificate has expired`],
    [
      { server: plain.url.replace("http:", "https:"), ...trusted },
      `${plain.url.replace("http:", "https:")}: TLS failed`,
    ],
  ];
  for (const [cluster, message] of messages) {
    const got = await readNode(t, cluster);
    assert.partialDeepStrictEqual(got, { kind: "failed", reason: "Unreachable" });
    assert.ok(JSON.stringify(got).includes(message), JSON.stringify(got));
  }
});

test("check and status warn once if the kubeconfig turns off verification", async (t) => {
  const cluster = { server: "https://127.0.0.1:1", "insecure-skip-tls-verify": true };
  const kubeconfig = writeKubeconfig(t, { cluster });
  const expected = `warning: The certificate of https://127.0.0.1:1 is not verified: context here of ${kubeconfig} sets insecure-skip-tls-verify\n`;
  for (const args of [["status"], ["check", "--target-version", "5.1.2", "--only", "drain-blocked"]]) {
    const { err } = await runPreflight([...args, "--kubeconfig", kubeconfig]);
    assert.equal(err.split(expected).length, 2, err);
  }
});

test("connects to an IPv6 address", async (t) => {
  const mock = await serve(t, answer, undefined, "::1").catch(() => undefined);
  if (!mock) return t.skip("this machine has no IPv6 loopback");
  assert.partialDeepStrictEqual(await readNode(t, { server: mock.url }), { kind: "found" });
  return assert.equal(mock.requests[0]?.headers.host, `[::1]:${mock.port}`);
});

test("presents its client certificate, and the renewed one on new connections", { skip: noOpenssl }, async (t) => {
  const dir = createFolder(t);
  const { ca, issue } = createAuthority(dir);
  const names: string[] = [];
  const tls = { ...issue("server"), ca: ca.cert, requestCert: true, rejectUnauthorized: true };
  const mock = await serve(
    t,
    (request, response) => {
      if (request.socket instanceof TLSSocket) names.push(String(request.socket.getPeerCertificate().subject.CN));
      sendJson(response, NODE);
    },
    tls,
  );
  const first = issue("first");
  const second = issue("second");
  const cert = join(dir, "client.crt");
  const key = join(dir, "client.key");
  copyFileSync(first.certFile, cert);
  copyFileSync(first.keyFile, key);
  const user = { "client-certificate": cert, "client-key": key };
  const cluster = { server: mock.url, "certificate-authority": ca.certFile };
  const { reader } = await openReader(t, writeKubeconfig(t, { cluster, user }));
  await reader.get(PLACE, neverAborted);
  await reader.get(PLACE, neverAborted);
  copyFileSync(second.certFile, cert);
  copyFileSync(second.keyFile, key);
  await reader.get(PLACE, neverAborted);
  assert.deepEqual(names, ["first", "first", "second"]);
  assert.equal(mock.sockets.size, 2);
});
