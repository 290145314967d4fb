import assert from "node:assert/strict";
import { test } from "node:test";
import type { ClusterSession } from "../../../src/cli/client/connection.ts";
import { createVerboseReader } from "../../../src/cli/client/verbose-reader.ts";
import { buildCycle } from "../../../src/cli/session/session.ts";
import { parseResource } from "../../../src/model/resource.ts";
import { fakeReader } from "../../../verify/api-server/fake-reader.ts";
import { answerFromRecording, readRecording } from "../../../verify/fleet/recorded-cluster.ts";
import { serve, writeKubeconfig } from "../../support/cluster/mock-server.ts";
import { runPreflight } from "../../../verify/shared/preflight.ts";

test("every kind of read gets a line with its path, its result and its time", async () => {
  const lines: string[] = [];
  const reader = createVerboseReader(
    {
      get: async () => ({ kind: "absent", what: "object" }),
      list: async () => ({ kind: "listed", objects: 2, bytes: 3000 }),
      raw: async () => ({ kind: "failed", reason: "Forbidden", message: "no" }),
    },
    (line) => lines.push(line.replace(/\d+\.\d+ s$/, "N s")),
  );
  const { signal } = new AbortController();
  const location = { resource: parseResource("v1/configmaps"), namespace: "a", name: "b" };
  assert.deepEqual(await reader.get(location, signal), { kind: "absent", what: "object" });
  assert.equal((await reader.list(parseResource("v1/nodes"), () => () => {}, signal)).kind, "listed");
  assert.equal((await reader.raw("/metrics", () => () => true, signal)).kind, "failed");
  assert.deepEqual(lines, [
    "/api/v1/namespaces/a/configmaps/b: absent, N s",
    "/api/v1/nodes: 2 objects, 3 KiB, N s",
    "/metrics: failed (Forbidden), N s",
  ]);
});

test("--verbose ends with the requests to a live cluster", async (t) => {
  const recording = readRecording("demo/cluster.json");
  const mock = await serve(t, (request, response) =>
    answerFromRecording(recording, new URL(request.url ?? "", "http://here").pathname, response),
  );
  const kubeconfig = writeKubeconfig(t, { cluster: { server: mock.url } });
  const args = ["check", "--kubeconfig", kubeconfig, "--target", "demo/release", "--verbose"];
  const lines = (await runPreflight(args)).err.trimEnd().split("\n");
  const [, requests] =
    /^(\d+) requests in \d+ rounds, \d+ KiB on the wire(?: \(\d+ KiB unpacked\))?; [\d.]+ s of [\d.]+ s with requests under way$/.exec(
      lines.at(-1) ?? "",
    ) ?? [];
  assert.equal(Number(requests), mock.requests.length, lines.at(-1));
});

const TIMES = { "check-timeout": 1_000, "cycle-timeout": 1_000 };

test("files are read four at a time, and a live cluster as it answers", () => {
  const io = { now: () => new Date(0), stopSignal: new AbortController().signal };
  const session = { io, reader: fakeReader({}) };
  const findServerLimit = (): number => 7;
  const select = (given: Partial<Pick<ClusterSession, "findServerLimit">>, concurrency = 16) => {
    const { limits } = buildCycle(
      { ...session, ...given, values: { ...TIMES, concurrency } },
      { checks: [], leftOut: [] },
      {},
    );
    return [limits.concurrency, limits.findServerLimit];
  };
  assert.deepEqual(select({}), [4, undefined]);
  assert.deepEqual(select({}, 2), [2, undefined]);
  assert.deepEqual(select({ findServerLimit }), [16, findServerLimit]);
});

test("--verbose writes to stderr, and leaves the result as it is", async () => {
  const args = ["check", "--recorded", "demo", "--target", "demo/release"];
  const plain = await runPreflight(args);
  const verbose = await runPreflight([...args, "--verbose"]);
  assert.deepEqual([verbose.code, verbose.out], [plain.code, plain.out]);
  assert.match(verbose.err, /^\/api\/v1\/nodes: \d+ objects, \d+ KiB, \d+\.\d\d s$/m);
});
