import assert from "node:assert/strict";
import { test } from "node:test";
import { createVerboseReader } from "../../../src/cli/client/verbose-reader.ts";
import { parseResource } from "../../../src/model/resource.ts";
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

test("--verbose writes to stderr, and leaves the result as it is", async () => {
  const args = ["check", "--recorded", "demo", "--target", "demo/release"];
  const plain = await runPreflight(args);
  const verbose = await runPreflight([...args, "--verbose"]);
  assert.deepEqual([verbose.code, verbose.out], [plain.code, plain.out]);
  assert.match(verbose.err, /^\/api\/v1\/nodes: \d+ objects, \d+ KiB, \d+\.\d\d s$/m);
});
