import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../../../src/model/json.ts";
import type { Reader } from "../../../../src/model/reader.ts";
import type { CycleResult } from "../../../../src/model/report.ts";
import { runUntilUpdate } from "../../../../src/cli/commands/run/work-end.ts";
import { type FakeResponse, fakeReader } from "../../../../verify/api-server/fake-reader.ts";
import { object, release, version, VERSION_PATH } from "../../../support/fixtures.ts";

const NOW = new Date("2026-03-01T12:00:00Z");
const CHECKED: CycleResult = {
  kind: "failed",
  failure: { reason: "Unauthorized", message: "checked" },
  observedAt: NOW,
};

function digest(digit: string): string {
  return `registry.example/release@sha256:${digit.repeat(64)}`;
}

function clusterWith(...history: readonly JsonObject[]): JsonObject {
  return object("config.openshift.io/v1", "ClusterVersion", "version", { status: { history } });
}

const RUNNING = { state: "Completed", version: "5.0.3", image: digest("3") };
const UPDATING = { state: "Partial", version: "5.2.0", image: digest("4") };
const UPDATED = { ...UPDATING, state: "Completed" };

/** How a cycle for 5.2.0 ends if ClusterVersion is `before` at its begin and `after` at its end, and whether anything was checked. */
async function run(
  before: FakeResponse,
  after = before,
  image: string | undefined = digest("4"),
): Promise<readonly [CycleResult, boolean]> {
  let now = before;
  let hasRun = false;
  const get: Reader["get"] = (...of) => fakeReader({ [VERSION_PATH]: now }).get(...of);
  const reader = { ...fakeReader({}), get };
  const target = { kind: "read", version: version("5.2.0"), select: () => release("5.2.0") } as const;
  const result = await runUntilUpdate(
    { reader, target, image, now: NOW, signal: new AbortController().signal },
    async () => {
      [now, hasRun] = [after, true];
      return CHECKED;
    },
  );
  return [result, hasRun];
}

function reasonOf([result]: readonly [CycleResult, boolean]): string {
  return result.kind === "failed" ? result.failure.reason : result.kind;
}

for (const [what, before, after, reason, hasRun] of [
  ["at rest", clusterWith(RUNNING), clusterWith(RUNNING), "Unauthorized", true],
  ["that is updating", clusterWith(UPDATING, RUNNING), clusterWith(UPDATING, RUNNING), "UpdateInProgress", false],
  ["that began to update meanwhile", clusterWith(RUNNING), clusterWith(UPDATING, RUNNING), "UpdateInProgress", true],
  ["that runs the target", clusterWith(UPDATED, RUNNING), clusterWith(UPDATED, RUNNING), "TargetReached", false],
  [
    "that went back",
    clusterWith({ ...RUNNING, image: digest("5") }, UPDATED),
    clusterWith(RUNNING),
    "Unauthorized",
    true,
  ],
  [
    "without ClusterVersion",
    { kind: "absent", what: "resource" },
    { kind: "absent", what: "resource" },
    "Unauthorized",
    true,
  ],
] as const)
  test(`a cycle of a cluster ${what} ends with ${reason}`, async () => {
    const ended = await run(before, after);
    assert.deepEqual([reasonOf(ended), ended[1]], [reason, hasRun]);
  });

test("an update to the target's version with another image has not reached it", async () => {
  const cluster = clusterWith(UPDATED, RUNNING);
  for (const [image, reason] of [
    [digest("4").replace("registry", "mirror"), "TargetReached"],
    [digest("5"), "Unauthorized"],
    ["registry.example/release:5.2.0", "TargetReached"],
    [undefined, "TargetReached"],
  ] as const)
    assert.equal(reasonOf(await run(cluster, cluster, image)), reason, image);
});

test("an update that has begun is named, and no source with which an earlier document could be matched", async () => {
  const [result] = await run(clusterWith(UPDATING, RUNNING));
  assert.ok(result.kind === "failed");
  assert.match(result.failure.message, /^An update to 5\.2\.0 is in progress, which ends every preflight\./);
  assert.deepEqual([result.source, result.target?.text, result.observedAt], [undefined, "5.2.0", NOW]);
});
