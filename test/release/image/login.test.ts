import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { ImageOptions } from "../../../src/release/image/image-options.ts";
import { parseMirror } from "../../../src/release/image/mirrors.ts";
import { noOpenssl } from "../../../verify/api-server/certificates.ts";
import { serve } from "../../support/cluster/mock-server.ts";
import { buildImage, pushImage } from "../../support/image-builder.ts";
import {
  PASSWORD,
  type RegistryAuth,
  createTestAuthority,
  createTestFolder,
  noRegistry,
  startRegistry,
} from "../../support/registry.ts";
import { startTokenServer } from "../../support/token-server.ts";
import { buildReleaseLayers, read } from "../../support/release/image/release.ts";

const options = { skip: noRegistry };

type Place = { readonly host: string; readonly folder: string; readonly caFile: string };

async function startWithImage(t: TestContext, auth: "password" | "token" | "public token"): Promise<Place> {
  const authority = createTestAuthority(t);
  const issuer = auth === "password" ? undefined : await startTokenServer(t, authority, auth === "public token");
  const kind: RegistryAuth = issuer ?? "password";
  const { host, push } = await startRegistry(t, {
    authority,
    auth: kind,
    ...(issuer ? { token: issuer.pushToken } : {}),
  });
  await pushImage(push, "ocp/release", "4.19.3", buildImage(await buildReleaseLayers()));
  return { host, folder: createTestFolder(t), caFile: authority.ca.certFile };
}

function encode(password: string): string {
  return Buffer.from(`${PASSWORD.username}:${password}`).toString("base64");
}

function writeAuthFile({ folder }: Place, auths: object, more: object = {}): string {
  const file = join(folder, "auth.json");
  writeFileSync(file, JSON.stringify({ auths, ...more }));
  return file;
}

const tryRead = (t: TestContext, { host, caFile }: Place, changes: Partial<ImageOptions>) =>
  read(t, `${host}/ocp/release:4.19.3`, { caFile, ...changes });

for (const auth of ["password", "token"] as const) {
  test(`a registry with a ${auth} login takes the right password and refuses a wrong one`, options, async (t) => {
    const place = await startWithImage(t, auth);
    const { host } = place;
    const wrong = writeAuthFile(place, { [host]: { auth: encode("open barley") } });
    await assert.rejects(tryRead(t, place, { authFile: wrong }), {
      message: `${host} refused the credentials of ${wrong}: log in with "podman login ${host}", or give --authfile`,
    });
    const right = writeAuthFile(place, { [host]: { auth: encode(PASSWORD.password) } });
    assert.ok((await tryRead(t, place, { authFile: right })).digest);
    const env = { HOME: place.folder, XDG_RUNTIME_DIR: join(place.folder, "run") };
    const message = new RegExp(
      `^${host} requires a login, and \\S+/run/containers/auth.json, \\S+/.config/containers/auth.json and \\S+/.docker/config.json has no credentials for it: log in with`,
    );
    await assert.rejects(tryRead(t, place, { env }), { message });
  });
}

test("a public repository behind a token server needs no credentials", options, async (t) => {
  const place = await startWithImage(t, "public token");
  assert.ok((await tryRead(t, place, { env: { HOME: place.folder } })).digest);
});

test(
  "the longest prefix of the repository decides, and only a helper for the host comes before it",
  options,
  async (t) => {
    const place = await startWithImage(t, "password");
    const { host } = place;
    const right = { auth: encode(PASSWORD.password) };
    const wrong = { auth: encode("open barley") };
    const nested = writeAuthFile(place, { [host]: wrong, [`${host}/ocp/release`]: right, [`${host}/ocp/rel`]: wrong });
    assert.ok((await tryRead(t, place, { env: { REGISTRY_AUTH_FILE: nested } })).digest);
    const helper = join(place.folder, "docker-credential-demo");
    writeFileSync(
      helper,
      `#!/bin/sh\ncat >${place.folder}/asked\n[ "$1" = get ] && echo '{"Username":"${PASSWORD.username}","Secret":"${PASSWORD.password}"}'\n`,
    );
    chmodSync(helper, 0o755);
    const env = { PATH: `${place.folder}:${process.env["PATH"]}` };
    const helped = writeAuthFile(place, { [host]: wrong }, { credHelpers: { [host]: "demo" } });
    assert.ok((await tryRead(t, place, { authFile: helped, env })).digest);
    assert.equal(readFileSync(join(place.folder, "asked"), "utf8"), host);
    const stored = writeAuthFile(place, {}, { credsStore: "demo" });
    assert.ok((await tryRead(t, place, { authFile: stored, env })).digest);
  },
);

test("a pipe with credentials is read once, for the mirror and the source", options, async (t) => {
  const place = await startWithImage(t, "password");
  const pipe = join(place.folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const text = JSON.stringify({ auths: { [place.host]: { auth: encode(PASSWORD.password) } } });
  const writing = writeFile(pipe, text);
  const mirrors = [parseMirror(`${place.host}/ocp=${place.host}/absent`)];
  assert.ok((await tryRead(t, place, { authFile: pipe, mirrors })).digest);
  await writing;
});

test("credentials that can't be read are one line", options, async (t) => {
  const place = await startWithImage(t, "password");
  const absent = join(place.folder, "absent.json");
  await assert.rejects(tryRead(t, place, { authFile: absent }), {
    message: `the credentials in ${absent} can't be read (ENOENT)`,
  });
  const helped = writeAuthFile(place, {}, { credHelpers: { [place.host]: "absent" } });
  await assert.rejects(tryRead(t, place, { authFile: helped }), {
    message: "the credential helper docker-credential-absent can't be run (ENOENT)",
  });
});

test(
  "a token that expires while a layer is read is replaced, and the transfer goes on",
  { skip: noOpenssl },
  async (t) => {
    const authority = createTestAuthority(t);
    const { cert, key } = authority.issue("server");
    const image = buildImage(await buildReleaseLayers());
    const blobs = new Map(image.layers.map(({ digest, bytes }) => [digest, bytes]));
    const seen = new Set<string>();
    let tokens = 0;
    const server = await serve(
      t,
      ({ url = "", headers }, response) => {
        if (url.startsWith("/token?"))
          return void response.end(JSON.stringify({ access_token: `token-${(tokens += 1)}` }));
        const challenge = `Basic realm="a, Bearer realm=b", Bearer realm="https://${headers.host}/token",service="demo"`;
        if (headers.authorization !== `Bearer token-${tokens}` || tokens === 0)
          return void response.writeHead(401, { "www-authenticate": challenge }).end();
        const digest = url.split("/").at(-1) ?? "";
        const bytes = blobs.get(digest) ?? image.manifest.bytes;
        const start = Number(/\d+/.exec(headers.range ?? "0")?.[0]);
        if (start > 0)
          return void response.writeHead(206, { "content-range": `bytes ${start}-` }).end(bytes.subarray(start));
        if (!blobs.has(digest) || seen.has(digest)) return void response.end(bytes);
        seen.add(digest);
        response.writeHead(200, { "content-length": bytes.length }).write(bytes.subarray(0, 100));
        tokens += 1;
        setTimeout(() => response.socket?.end(), 50);
      },
      { cert, key },
    );
    const reference = `127.0.0.1:${server.port}/ocp/release:1`;
    const { digest } = await read(t, reference, { caFile: authority.ca.certFile });
    assert.equal(digest, image.manifest.digest);
    const requests = server.requests.map(({ url }) => url ?? "").filter((url) => url.startsWith("/token?"));
    assert.equal(requests.length, 3);
    assert.equal(
      new URL(requests[0] ?? "", "https://localhost").searchParams.get("scope"),
      "repository:ocp/release:pull",
    );
  },
);
