import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { type TlsOptions, createServer as createTlsServer } from "node:tls";
import type { Writable } from "node:stream";
import { type TestContext, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../../../src/network/retry.ts";
import type { ImageOptions } from "../../../src/release/image/image-options.ts";
import { noOpenssl } from "../../../verify/api-server/certificates.ts";
import { serve } from "../../support/cluster/mock-server.ts";
import { listen } from "../../../verify/shared/loopback.ts";
import { type TestImage, buildImage, buildLayer } from "../../support/image-builder.ts";
import { createTestAuthority } from "../../support/registry.ts";
import { OPERATOR_FILES, RELEASE_FILES, read } from "../../support/release/image/release.ts";

const options = { skip: noOpenssl };

/** A clock that only the server and the pauses between tries move. `looks`: how often somebody looked at it. */
type TestClock = Clock & { readonly advance: (ms: number) => void; readonly looks: () => number };

function createTestClock(): TestClock {
  let now = 0;
  let looks = 0;
  const advance = (ms: number): void => void (now += ms);
  const look = (): number => {
    looks += 1;
    return now;
  };
  return { advance, now: look, looks: () => looks, sleep: async (ms) => advance(ms), random: () => 1 };
}

/** Sends what fits one record of TLS once the time has passed, and waits until the client has received it. */
async function sendLate(stream: Writable, send: () => void, ms: number, clock: TestClock): Promise<void> {
  const before = clock.looks();
  clock.advance(ms);
  send();
  while (clock.looks() === before && !stream.destroyed) await nextTurn();
}

async function buildSample(): Promise<TestImage> {
  const operator = await buildLayer({ ...OPERATOR_FILES, "usr/bin/operator": randomBytes(400_000).toString("base64") });
  return buildImage([operator, await buildLayer(RELEASE_FILES)]);
}

/** Sends a blob. */
type SendBlob = (response: ServerResponse, bytes: Buffer, offset: number) => Promise<void>;

type SlowRegistry = {
  readonly reference: string;
  readonly read: (changes?: Partial<ImageOptions>) => Promise<unknown>;
};

async function startSlowRegistry(t: TestContext, clock: TestClock, send: SendBlob): Promise<SlowRegistry> {
  const authority = createTestAuthority(t);
  const { cert, key } = authority.issue("server");
  const image = await buildSample();
  const { port } = await serve(
    t,
    ({ url = "", headers: { range = "bytes=0-" } }, response) => {
      const name = url.split("/").at(-1) ?? "";
      const blob = [image.config, ...image.layers].find(({ digest }) => digest === name);
      if (blob === undefined) return void response.end(image.manifest.bytes);
      const offset = Number(/\d+/.exec(range)?.[0]);
      response.statusCode = offset === 0 ? 200 : 206;
      response.setHeader("content-range", `bytes ${offset}-${blob.bytes.length - 1}/${blob.bytes.length}`);
      void send(response, blob.bytes, offset);
    },
    { cert, key },
  );
  const reference = `127.0.0.1:${port}/ocp/release:1`;
  const more = { caFile: authority.ca.certFile, clock };
  return { reference, read: (changes = {}) => read(t, reference, { ...more, ...changes }) };
}

/** Sends so many bytes at a time, each in so many seconds of the clock. */
function createTrickle(clock: TestClock, bytesAtOnce: number, seconds: number): SendBlob {
  return async (response, bytes, offset) => {
    // Without it, each chunk would be several records.
    response.setHeader("content-length", bytes.length - offset);
    await sendLate(response, () => response.flushHeaders(), 0, clock);
    for (let at = offset; at < bytes.length && !response.destroyed; at += bytesAtOnce) {
      clock.advance(seconds * 1000);
      for (const part of split(bytes.subarray(at, at + bytesAtOnce)))
        await sendLate(response, () => response.write(part), 0, clock);
    }
    response.end();
  };
}

/** One record of TLS each, of which the client hears at once. */
function split(bytes: Buffer): readonly Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / RECORD_BYTES) }, (_, i) =>
    bytes.subarray(i * RECORD_BYTES, (i + 1) * RECORD_BYTES),
  );
}

const RECORD_BYTES = 8_000;

test(
  "a registry that sends a byte a second is given up after a minute, and so is one just below the rate",
  options,
  async (t) => {
    for (const [bytesAtOnce, seconds] of [
      [1, 1],
      [1_000, 1],
    ] as const) {
      const clock = createTestClock();
      const registry = await startSlowRegistry(t, clock, createTrickle(clock, bytesAtOnce, seconds));
      await assert.rejects(registry.read(), {
        name: "FailedError",
        message: /^127\.0\.0\.1:\d+ sent less than 1024 bytes a second for a minute: .*--mirror.*--image-min-rate$/,
      });
      assert.ok(clock.now() < 130_000, "it took no more than two minutes of the clock");
    }
  },
);

test("a registry above the rate is read, whatever its pauses; with a rate of 0 so is any other", options, async (t) => {
  const slow = createTestClock();
  const pausing = createTestClock();
  const first = await startSlowRegistry(t, slow, createTrickle(slow, 2_000, 1));
  await first.read();
  // All of a minute's bytes at once, then 50 seconds of nothing.
  const second = await startSlowRegistry(t, pausing, createTrickle(pausing, 100_000, 50));
  await second.read();
  assert.ok(pausing.now() > 200_000);
  const third = await startSlowRegistry(t, slow, createTrickle(slow, 1_000, 2));
  await third.read({ transferLimits: { minBytesPerSecond: 0, timeoutMs: 1e9 } });
});

test("a mirror that is too slow does not keep the image from being read elsewhere", options, async (t) => {
  const clock = createTestClock();
  const trickle = createTrickle(clock, 10, 1);
  // The repository of the mirror is slow, the source's is not.
  const registry = await startSlowRegistry(t, clock, (response, bytes, offset) =>
    response.req.url?.startsWith("/v2/slow/")
      ? trickle(response, bytes, offset)
      : Promise.resolve(void response.end(bytes.subarray(offset))),
  );
  const host = registry.reference.replace(/\/.*/, "");
  const mirror = { source: `${host}/ocp`, mirror: `${host}/slow`, for: "all", isSourceForbidden: false } as const;
  await registry.read({ mirrors: [mirror] });
  assert.ok(clock.now() >= 60_000);
});

test("30 minutes end the reading of an image, also if each try makes some progress", options, async (t) => {
  const steady = createTestClock();
  const registry = await startSlowRegistry(t, steady, createTrickle(steady, 10_000, 50));
  const limits = { minBytesPerSecond: 10, timeoutMs: 30 * 60_000 };
  const message = /^127\.0\.0\.1:\d+ has not sent all of the image in 30 minutes: raise --image-timeout$/;
  await assert.rejects(registry.read({ transferLimits: limits }), { message });
  assert.ok(steady.now() < 31 * 60_000);
  const breaking = createTestClock();
  const breaker = await startSlowRegistry(t, breaking, async (response, bytes, offset) => {
    breaking.advance(20_000);
    response.end(bytes.subarray(offset, offset + 1_000));
  });
  await assert.rejects(breaker.read(), { message });
  assert.ok(breaking.now() < 31 * 60_000);
});

test("a registry that sends its headers byte by byte is given up after a minute", options, async (t) => {
  const clock = createTestClock();
  const authority = createTestAuthority(t);
  const { cert, key } = authority.issue("server");
  const { port, sent } = await serveHeaders(t, clock, { cert, key });
  await assert.rejects(read(t, `127.0.0.1:${port}/ocp/release:1`, { caFile: authority.ca.certFile, clock }), {
    message: /sent less than 1024 bytes a second for a minute/,
  });
  assert.ok(sent() < 200);
});

/** Answers with a header that never ends. */
async function serveHeaders(t: TestContext, clock: TestClock, tls: TlsOptions) {
  let sent = 0;
  const server = createTlsServer(tls, (socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => void trickle());
    const trickle = async (): Promise<void> => {
      socket.write("HTTP/1.1 200 OK\r\nx: ");
      for (sent = 0; !socket.destroyed && sent < 10_000; sent += 1) {
        await sendLate(socket, () => socket.write("a"), 1_000, clock);
      }
    };
  });
  const port = await listen(server);
  t.after(() => server.close());
  return { port, sent: () => sent };
}

test("a registry that redirects in a circle is given up", options, async (t) => {
  const authority = createTestAuthority(t);
  const { cert, key } = authority.issue("server");
  const { port, requests } = await serve(
    t,
    (_request, response) => void response.writeHead(307, { location: `/v2/${requests.length}` }).end(),
    { cert, key },
  );
  await assert.rejects(read(t, `127.0.0.1:${port}/ocp/release:1`, { caFile: authority.ca.certFile }), {
    message: `127.0.0.1:${port} redirects to nowhere (307)`,
  });
  assert.equal(requests.length, 6);
});
