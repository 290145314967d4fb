import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { Agent, request as requestHttps } from "node:https";
import { type TestContext, test } from "node:test";
import { noOpenssl } from "../../../verify/api-server/certificates.ts";
import { type MockServer, serve } from "../../support/cluster/mock-server.ts";
import { type TestImage, buildImage, buildLayer, pushImage } from "../../support/image-builder.ts";
import { createTestAuthority, noRegistry, startRegistry } from "../../support/registry.ts";
import { OPERATOR_FILES, RELEASE_FILES, read } from "../../support/release/image/release.ts";

const options = { skip: noRegistry };

async function buildLargeImage(): Promise<TestImage> {
  const operator = await buildLayer({ ...OPERATOR_FILES, "usr/bin/operator": randomBytes(600_000).toString("base64") });
  return buildImage([operator, await buildLayer(RELEASE_FILES)]);
}

type Forward = (response: IncomingMessage, outgoing: ServerResponse) => void;

/** A registry behind a server that handles the answers for blobs, as a line that breaks or a proxy that ignores ranges. */
async function startBehind(
  t: TestContext,
  image: TestImage,
  forward: Forward,
  replacedHeaders: OutgoingHttpHeaders = {},
): Promise<MockServer & { readonly caFile: string }> {
  const authority = createTestAuthority(t);
  const { host, push } = await startRegistry(t, { authority });
  await pushImage(push, "ocp/release", "4.19.3", image);
  const { cert, key } = authority.issue("front");
  const agent = new Agent({ ca: authority.ca.cert, keepAlive: true });
  t.after(() => agent.destroy());
  const server = await serve(
    t,
    (incoming, outgoing) => {
      const url = new URL(incoming.url ?? "/", `https://${host}`);
      const headers = Object.entries({ ...incoming.headers, host, ...replacedHeaders });
      const sent = Object.fromEntries(headers.filter(([, value]) => value !== undefined));
      requestHttps(url, { agent, headers: sent }, (response) => {
        if (url.pathname.includes("/blobs/")) return forward(response, outgoing);
        outgoing.writeHead(response.statusCode ?? 500, response.headers);
        response.pipe(outgoing);
      }).end();
    },
    { cert, key },
  );
  return { ...server, caFile: authority.ca.certFile };
}

/** Passes so many bytes on, then cuts the connection. */
function cutAfter(bytes: number): Forward {
  return (response, outgoing) => {
    let left = bytes;
    outgoing.writeHead(response.statusCode ?? 500, response.headers);
    response.on("data", (chunk: Buffer) => {
      if (left <= 0) return;
      outgoing.write(chunk.subarray(0, left));
      left -= chunk.length;
      // An orderly end, since a reset could discard what was sent before.
      if (left <= 0) outgoing.socket?.end();
    });
    response.on("end", () => left > 0 && outgoing.end());
  };
}

function listRanges({ requests }: MockServer, image: TestImage): readonly (string | undefined)[] {
  const blobs = requests.filter(({ url }) => url?.includes(image.layers[0]?.digest ?? "-"));
  return blobs.map(({ headers }) => headers.range);
}

test("a transfer that breaks off is resumed where it was, any number of times", options, async (t) => {
  const image = await buildLargeImage();
  const server = await startBehind(t, image, cutAfter(50_000));
  const progress: number[] = [];
  const release = await read(t, `127.0.0.1:${server.port}/ocp/release:4.19.3`, {
    caFile: server.caFile,
    onProgress: ({ layer, receivedBytes }) => layer === 2 && progress.push(receivedBytes),
  });
  assert.equal(release.digest, image.manifest.digest);
  const ranges = listRanges(server, image);
  assert.ok(ranges.length > 5, `${ranges.length} requests`);
  const begins = ranges.map((range) => Number(/^bytes=(\d+)-$/.exec(range ?? "bytes=0-")?.[1]));
  assert.deepEqual(
    begins,
    [...new Set(begins)].toSorted((a, b) => a - b),
  );
  assert.equal(progress.at(-1), image.layers[0]?.bytes.length);
  assert.deepEqual(
    progress,
    progress.toSorted((a, b) => a - b),
  );
});

test("a server that ignores the range sends what is there already again", options, async (t) => {
  const image = await buildLargeImage();
  let blobs = 0;
  const forward: Forward = (response, outgoing) => {
    blobs += 1;
    // The first blob is the small layer at the top.
    cutAfter(blobs === 2 ? 100_000 : Number.MAX_SAFE_INTEGER)(response, outgoing);
  };
  const server = await startBehind(t, image, forward, { range: undefined });
  assert.ok((await read(t, `127.0.0.1:${server.port}/ocp/release:4.19.3`, { caFile: server.caFile })).digest);
  const [first, second] = listRanges(server, image);
  assert.equal(first, undefined);
  assert.match(second ?? "", /^bytes=[1-9]\d{4,5}-$/);
});

test("a transfer that gets no further is given up after five tries, and says how far it came", options, async (t) => {
  const image = await buildLargeImage();
  let isCut = false;
  let blobs = 0;
  const server = await startBehind(t, image, (response, outgoing) => {
    blobs += 1;
    if (blobs === 1) return cutAfter(Number.MAX_SAFE_INTEGER)(response, outgoing);
    if (!isCut) cutAfter(200_000)(response, outgoing);
    else outgoing.socket?.end();
    isCut = true;
  });
  const name = `127.0.0.1:${server.port}`;
  const total = ((image.layers[0]?.bytes.length ?? 0) / 2 ** 20).toFixed(1);
  await assert.rejects(read(t, `${name}/ocp/release:4.19.3`, { caFile: server.caFile }), {
    message: new RegExp(
      `^${name} cut the connection: layer ${image.layers[0]?.digest.slice(0, 19)} broke off after 0.[12] of ${total} MiB, 5 times$`,
    ),
  });
});

test("an error of the server is tried again, after the time that it names", { skip: noOpenssl }, async (t) => {
  const authority = createTestAuthority(t);
  const { cert, key } = authority.issue("busy");
  let answers = 0;
  const server = await serve(
    t,
    (_, response) => {
      answers += 1;
      const body = '{"errors":[{"code":"UNAVAILABLE","message":"under repair"}]}';
      response.writeHead(503, { "retry-after": "2" }).end(body);
    },
    { cert, key },
  );
  const name = `127.0.0.1:${server.port}`;
  await assert.rejects(read(t, `${name}/ocp/release:4.19.3`, { caFile: authority.ca.certFile }), {
    message: `${name} answered with an error for ${name}/ocp/release (503: under repair)`,
  });
  assert.equal(answers, 5);
});
