import assert from "node:assert/strict";
import { test } from "node:test";
import type { Check } from "../../src/model/check.ts";
import { textAt } from "../../src/model/json.ts";
import { each, type Reads, valuesOf } from "../../src/model/read.ts";
import type { Reader } from "../../src/model/reader.ts";
import { runCycle } from "../../src/runner/cycle.ts";
import { type FakeReader, fakeReader } from "../../verify/api-server/fake-reader.ts";
import { checkWith, clusterRunning, object, release, version } from "../support/fixtures.ts";

const LISTS = { "/api/v1/nodes": [object("v1", "Node", "n")], "/api/v1/pods": [object("v1", "Pod", "p")] };

/** Reads of whole kinds, which keep the names of the objects. */
function buildReads(...kinds: readonly string[]): Reads {
  return Object.fromEntries(
    kinds.map((kind) => [kind, each(`v1/${kind}`, (found) => textAt(found, "metadata", "name"))]),
  );
}

/** What each check was given, "nodes:n", and the paths of the cluster's core kinds in the order in which they were read. */
async function runChecks(
  checks: readonly Omit<Parameters<typeof checkWith>[0], "evaluate">[],
  reader: Reader & Pick<FakeReader, "paths"> = fakeReader({
    ...clusterRunning("4.18.8"),
    ...LISTS,
    "/api/v1/services": [object("v1", "Service", "s")],
  }),
): Promise<{
  readonly given: Readonly<Record<string, string>>;
  readonly paths: readonly string[];
}> {
  const given: Record<string, string> = {};
  const spies: readonly Check[] = checks.map((check) =>
    checkWith({
      ...check,
      evaluate(values, _context, followed) {
        const lists = Object.entries({ ...values, ...followed }).toSorted();
        given[check.id ?? ""] = lists
          .map(([kind, list]) => `${kind}:${list && "values" in list ? valuesOf(list).join() : list?.kind}`)
          .join(" ");
        return {};
      },
    }),
  );
  const result = await runCycle({
    selection: { checks: spies },
    reader,
    target: { kind: "read", version: version("4.20.3"), select: () => release("4.20.3") },
    now: new Date("2026-01-02T03:04:05Z"),
    signal: new AbortController().signal,
    limits: { concurrency: 4, checkTimeout: 5_000, cycleTimeout: 10_000 },
  });
  assert.equal(result.kind, "completed");
  return { given, paths: reader.paths.filter((path) => path.startsWith("/api/v1/")) };
}

const follow = (...kinds: readonly string[]): Pick<Check, "follow" | "mayRead"> => ({
  follow: () => buildReads(...kinds),
  mayRead: () => buildReads(...kinds),
});

test("lists a kind once that one check reads at once and another after its first reads", async () => {
  const { given, paths } = await runChecks([
    { id: "First", reads: () => buildReads("nodes") },
    { id: "Follows", reads: () => buildReads("nodes"), ...follow("services") },
    { id: "Later", reads: () => buildReads("pods"), ...follow("nodes", "services") },
  ]);
  assert.deepEqual(given, { First: "nodes:n", Follows: "nodes:n services:s", Later: "nodes:n pods:p services:s" });
  assert.deepEqual(paths, ["/api/v1/pods", "/api/v1/nodes", "/api/v1/services"]);
});

test("does not wait for a check that plans nothing in the end", async () => {
  const { given, paths } = await runChecks([
    { id: "First", reads: () => buildReads("nodes") },
    { id: "Later", reads: () => buildReads("pods"), mayRead: () => buildReads("nodes"), follow: () => ({}) },
  ]);
  assert.deepEqual(given, { First: "nodes:n", Later: "pods:p" });
  assert.deepEqual(paths, ["/api/v1/pods", "/api/v1/nodes"]);
});

test("gathers everything for two checks each of which may follow to what the other begins with", async () => {
  const { given, paths } = await runChecks([
    { id: "A", reads: () => buildReads("nodes"), ...follow("pods") },
    { id: "B", reads: () => buildReads("pods"), ...follow("nodes") },
  ]);
  assert.deepEqual(given, { A: "nodes:n pods:p", B: "nodes:n pods:p" });
  assert.deepEqual([...new Set(paths)], ["/api/v1/nodes", "/api/v1/pods"]);
});

test("gathers a followed read that the check did not declare, at the price of a second list", async () => {
  const { given, paths } = await runChecks([
    { id: "First", reads: () => buildReads("nodes") },
    { id: "Later", reads: () => buildReads("pods"), follow: () => buildReads("nodes") },
  ]);
  assert.deepEqual(given, { First: "nodes:n", Later: "nodes:n pods:p" });
  assert.deepEqual(paths, ["/api/v1/pods", "/api/v1/nodes", "/api/v1/nodes"]);
});

test("reads what follows from one read while another is still under way", async () => {
  const isAskedFor = Promise.withResolvers<void>();
  const reader = fakeReader({ ...clusterRunning("4.18.8"), ...LISTS });
  const list: Reader["list"] = async (resource, ...more) => {
    if (resource.resource === "services") isAskedFor.resolve();
    // Without the services, the nodes never come.
    if (resource.resource === "nodes") await isAskedFor.promise;
    return reader.list(resource, ...more);
  };
  const { given } = await runChecks(
    [
      { id: "First", reads: () => buildReads("nodes") },
      { id: "Later", reads: () => buildReads("pods"), ...follow("services") },
    ],
    { ...reader, list },
  );
  assert.deepEqual(given, { First: "nodes:n", Later: "pods:p services:absent" });
});

test("the cycle fails with what a reader throws, although other reads are under way", async () => {
  const reader = fakeReader({ ...clusterRunning("4.18.8"), "/api/v1/pods": "hangs" });
  const list: Reader["list"] = async (resource, ...more) => {
    if (resource.resource === "nodes") throw new Error("a bug of the reader");
    return reader.list(resource, ...more);
  };
  const checks = [
    { id: "First", reads: () => buildReads("nodes") },
    { id: "Later", reads: () => buildReads("pods") },
  ];
  await assert.rejects(runChecks(checks, { ...reader, list }), /a bug of the reader/);
});
