import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { connect } from "../../src/cluster/access/connect.ts";
import { createServerLimit } from "../../src/cluster/access/transport.ts";
import { createLiveReader } from "../../src/cluster/live/live-reader.ts";
import { parseResource } from "../../src/model/resource.ts";
import { sendJson } from "../../verify/api-server/api-responses.ts";
import { buildStatus, createFakeClock, neverAborted, serve, writeKubeconfig } from "../support/cluster/mock-server.ts";

describe("the number of reads that a server takes", () => {
  test("begins with four and grows by two with each answer, up to 32", () => {
    const limit = createServerLimit();
    const seen = [limit.find()];
    for (let i = 0; i < 16; i++) {
      limit.onAnswered(500);
      seen.push(limit.find());
    }
    assert.deepEqual([...seen.slice(0, 4), ...seen.slice(-3)], [4, 6, 8, 10, 32, 32, 32]);
  });

  test("falls to four with a refusal, and then grows by one with as many answers", () => {
    const limit = createServerLimit();
    for (let i = 0; i < 6; i++) limit.onAnswered(20);
    assert.equal(limit.find(), 16);
    limit.onOverloaded();
    assert.equal(limit.find(), 4);
    for (let i = 0; i < 4; i++) limit.onAnswered(20);
    assert.equal(limit.find(), 4);
    limit.onAnswered(20);
    assert.equal(limit.find(), 5);
  });

  test("falls to half with an answer two seconds slower than the fastest, and not below four", () => {
    const limit = createServerLimit();
    for (let i = 0; i < 6; i++) limit.onAnswered(500);
    limit.onAnswered(2_500);
    assert.equal(limit.find(), 16 + 2);
    limit.onAnswered(2_501);
    assert.equal(limit.find(), 9);
    limit.onAnswered(9_000);
    limit.onAnswered(9_000);
    assert.equal(limit.find(), 4);
  });

  test("a network that is slow with every answer is no slow server", () => {
    const limit = createServerLimit();
    for (let i = 0; i < 6; i++) limit.onAnswered(4_000);
    assert.equal(limit.find(), 16);
  });
});

const NODES = parseResource("v1/nodes");
const list = { apiVersion: "v1", kind: "NodeList", metadata: {}, items: [] };

for (const [status, slept] of [
  [429, 9_000],
  [503, 250],
] as const)
  test(`a reader takes four at a time from a refusal with ${status} on, and more again as answers come`, async (t) => {
    const seen: number[] = [];
    const mock = await serve(t, (_, response) => {
      seen.push(reader.findServerLimit());
      return mock.requests.length === 4
        ? sendJson(response, buildStatus(status, "Busy", "slow down"), status, { "retry-after": `${slept / 1_000}` })
        : sendJson(response, list);
    });
    const connection = await connect({ kubeconfig: writeKubeconfig(t, { cluster: { server: mock.url } }), env: {} });
    t.after(connection.close);
    const clock = createFakeClock();
    const reader = createLiveReader(connection, { userAgent: "test", clock });
    for (let i = 0; i < 8; i++) await reader.forCycle?.().list(NODES, () => () => {}, neverAborted);
    assert.deepEqual(seen, [4, 6, 8, 10, 4, 4, 4, 4, 4]);
    assert.equal(reader.findServerLimit(), 5);
    assert.ok((clock.slept[0] ?? 0) >= slept, `Retry-After is heeded: ${clock.slept.join()}`);
    const { requests, rounds, bytes } = reader.summarizeTraffic();
    assert.deepEqual([requests, rounds], [9, 9]);
    assert.ok(bytes > 8 * JSON.stringify(list).length - 1, `${bytes}`);
  });
