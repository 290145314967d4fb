import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import type { ServerOptions } from "node:https";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { noOpenssl } from "../../../verify/api-server/certificates.ts";
import { serve } from "../../support/cluster/mock-server.ts";
import { startConnectProxy } from "../../support/cluster/proxies.ts";
import { buildImage, computeDigest } from "../../support/image-builder.ts";
import { createTestAuthority, createTestFolder } from "../../support/registry.ts";
import { buildReleaseLayers, read } from "../../support/release/image/release.ts";

const options = { skip: noOpenssl };

test("a registry is reached through the environment's proxy, unless NO_PROXY exempts it", options, async (t) => {
  const authority = createTestAuthority(t);
  const { cert, key } = authority.issue("named", "DNS:registry.example");
  const image = buildImage(await buildReleaseLayers());
  const { port } = await serveImage(t, image, { cert, key });
  const proxy = await startConnectProxy(t);
  const HTTPS_PROXY = `http://127.0.0.1:${proxy.port}`;
  const caFile = authority.ca.certFile;
  const name = `registry.example:${port}`;
  assert.ok((await read(t, `${name}/ocp/release:4.19.3`, { caFile, env: { HTTPS_PROXY } })).digest);
  assert.deepEqual(new Set(proxy.requests), new Set([name]));
  const refusing = await startConnectProxy(t, 407);
  const refused = `http://127.0.0.1:${refusing.port}`;
  await assert.rejects(read(t, `${name}/ocp/release:4.19.3`, { caFile, env: { HTTPS_PROXY: refused } }), {
    message: `${name}: proxy ${refused} failed: it responded with 407 No`,
  });
  await assert.rejects(
    read(t, `${name}/ocp/release:4.19.3`, { caFile, env: { HTTPS_PROXY: refused, NO_PROXY: ".example" } }),
    {
      message: /^registry\.example:\d+: (?:its name was not found|EAI_AGAIN)$/,
    },
  );
});

/** A registry without logins: enough to pull one image. */
function serveImage(t: TestContext, image: ReturnType<typeof buildImage>, tls: ServerOptions) {
  const blobs = new Map([image.config, ...image.layers].map(({ digest, bytes }) => [`blobs/${digest}`, bytes]));
  return serve(
    t,
    ({ url = "" }, response) => {
      const path = url.replace("/v2/ocp/release/", "");
      const bytes = path.startsWith("manifests/") ? image.manifest.bytes : blobs.get(path);
      response.writeHead(bytes ? 200 : 404).end(bytes);
    },
    tls,
  );
}

test("podman's certificates for a host are used: its authority, and the client's own pair", options, async (t) => {
  const authority = createTestAuthority(t);
  const { cert, key } = authority.issue("server");
  const client = authority.issue("client");
  const image = buildImage(await buildReleaseLayers());
  const home = createTestFolder(t);
  const { port } = await serveImage(t, image, {
    cert,
    key,
    ca: authority.ca.cert,
    requestCert: true,
    rejectUnauthorized: true,
  });
  const folder = join(home, ".config/containers/certs.d", `127.0.0.1:${port}`);
  mkdirSync(folder, { recursive: true });
  copyFileSync(authority.ca.certFile, join(folder, "ca.crt"));
  const reference = `127.0.0.1:${port}/ocp/release:4.19.3`;
  await assert.rejects(read(t, reference, { env: { HOME: home } }), {
    message: /certificate required|cut the connection|TLS failed/,
  });
  copyFileSync(client.certFile, join(folder, "client.cert"));
  copyFileSync(client.keyFile, join(folder, "client.key"));
  assert.ok((await read(t, reference, { env: { HOME: home } })).digest);
  writeFileSync(join(folder, "ca.crt"), "none");
  await assert.rejects(read(t, reference, { env: { HOME: home } }), {
    message: `${folder}/ca.crt has no PEM certificate`,
  });
});

test("a blob may come from another host, which gets no credentials, and never without TLS", options, async (t) => {
  const authority = createTestAuthority(t);
  const { cert, key } = authority.issue("server");
  const image = buildImage(await buildReleaseLayers());
  const store = await serve(
    t,
    ({ url = "" }, response) => {
      const blob = image.layers.find(({ digest }) => url.endsWith(digest));
      response.writeHead(blob ? 200 : 404).end(blob?.bytes);
    },
    { cert, key },
  );
  let target = store.url;
  const server = await serve(
    t,
    ({ url = "", headers }, response) => {
      if (headers.authorization === undefined)
        return void response.writeHead(401, { "www-authenticate": 'Basic realm="x"' }).end();
      if (url.includes("/manifests/")) return void response.end(image.manifest.bytes);
      response.writeHead(307, { location: `${target}/${url.split("/").at(-1)}` }).end();
    },
    { cert, key },
  );
  const authFile = join(createTestFolder(t), "auth.json");
  const host = `127.0.0.1:${server.port}`;
  writeFileSync(authFile, JSON.stringify({ auths: { [`https://${host}/v2/`]: { username: "a", password: "b" } } }));
  const more = { authFile, caFile: authority.ca.certFile };
  assert.equal((await read(t, `${host}/ocp/release:1`, more)).digest, computeDigest(image.manifest.bytes));
  assert.ok(store.requests.length > 0);
  assert.deepEqual(
    store.requests.filter(({ headers }) => headers.authorization !== undefined),
    [],
  );
  target = store.url.replace("https", "http");
  await assert.rejects(read(t, `${host}/ocp/release:1`, more), {
    message: `${target} is not contacted: it is not an https address`,
  });
});

test("a stop ends the reading, and leaves no part of it", options, async (t) => {
  const authority = createTestAuthority(t);
  const { cert, key } = authority.issue("server");
  const image = buildImage(await buildReleaseLayers());
  const stop = new AbortController();
  const server = await serve(
    t,
    ({ url = "" }, response) => {
      if (url.includes("/manifests/")) return void response.end(image.manifest.bytes);
      response.writeHead(200).write("x");
      setImmediate(() => stop.abort(new Error("stopped by SIGINT")));
    },
    { cert, key },
  );
  const cache = createTestFolder(t);
  const more = { caFile: authority.ca.certFile, cache, signal: stop.signal };
  await assert.rejects(read(t, `127.0.0.1:${server.port}/ocp/release:1`, more), { message: "stopped by SIGINT" });
  assert.deepEqual(readdirSync(join(cache, "preflight")).toSorted(), ["manifests", "releases"]);
  assert.deepEqual(readdirSync(join(cache, "preflight/releases")), []);
});

test("a registry without TLS is not read", async (t) => {
  const server = await serve(t, (_, response) => response.end());
  await assert.rejects(read(t, `127.0.0.1:${server.port}/ocp/release:1`), {
    message: /^127\.0\.0\.1:\d+: TLS failed \(\w+\): registries are contacted over TLS only$/,
  });
});
