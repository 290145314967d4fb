import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CLUSTER_VERSION, RESULT, RUNNER } from "../../src/controller/api/api-paths.ts";
import { applyActions } from "../../src/controller/controller.ts";
import { toFailureText } from "../../src/controller/runner/pod-failures.ts";
import { findCondition } from "../../src/model/object.ts";
import { type JsonObject, textAt } from "../../src/model/json.ts";
import { getClusterVersion } from "../support/controller/memory-api.ts";
import { SILENT_LOGGER } from "../support/controller/reconcile.ts";
import {
  buildContainer,
  buildPod,
  ended,
  type RunnerLife,
  startRunnerLife,
  waiting,
} from "../support/controller/runner-life.ts";

const TIMES = 20;
const IMAGE = "registry.example.com:5000/release@sha256:abc";

function pull(reason: string, message: string): readonly JsonObject[] {
  return [
    buildPod({ phase: "Pending", ...buildContainer({ image: IMAGE, state: waiting(reason, message) }, "target") }),
  ];
}

function schedule(message: string): readonly JsonObject[] {
  const condition = { type: "PodScheduled", status: "False", reason: "Unschedulable", message };
  return [buildPod({ phase: "Pending", conditions: [condition] })];
}

function crash(second: number, message: string): readonly JsonObject[] {
  return [buildPod(buildContainer({ state: ended(second, { message }) }))];
}

/** The nth report of one failure, the words that must be left for a person, and its pods. */
const FAILURES: Readonly<Record<string, readonly [RegExp, (n: number) => readonly JsonObject[]]>> = {
  "a pull that alternates with its back-off": [
    /registry\.example\.com:5000\/release@sha256:abc could not be pulled: dial tcp …->…: i\/o timeout/,
    (n) =>
      n % 2 === 0
        ? pull("ErrImagePull", `dial tcp 10.0.0.1:${41_234 + n}->10.0.${n}.2:443: i/o timeout`)
        : pull("ImagePullBackOff", `Back-off pulling image "${IMAGE}"`),
  ],
  "a pull whose connections end in different ways": [
    /pulled: Get "https:\/\/registry\.example\.com\/v2\/": dial tcp …: connect: connection refused/,
    (n) =>
      pull(
        "ErrImagePull",
        `Get "https://registry.example.com/v2/": ${["dial tcp 10.0.0.1:443: connect: connection refused", "EOF", "net/http: TLS handshake timeout", "context deadline exceeded"][n % 4]}`,
      ),
  ],
  "a pull that a registry refuses, with the IDs of requests": [
    /unexpected status from HEAD request to https:\/\/registry\.example\.com\/v2\/: 503 Service Unavailable/,
    (n) =>
      pull(
        "ErrImagePull",
        `unexpected status from HEAD request to https://registry.example.com/v2/: 503 Service Unavailable (0f9c0d2b-3f4c-4b53-8b1e-7d8a3b0a3f${n + 10})`,
      ),
  ],
  "a scheduler that counts nodes": [
    /scheduled: no node is available: Insufficient memory, node\(s\) had untolerated taint \{a: b\}$/,
    (n) =>
      schedule(
        n % 2 === 0
          ? `0/${n + 6} nodes are available: 1 node(s) had untolerated taint {a: b}, ${n + 5} Insufficient memory. no new claims to deallocate, preemption: 0/${n + 6} nodes are available: 1 No preemption victims found.`
          : `0/6 nodes are available: 2 Insufficient memory, 4 node(s) had untolerated taint {a: b}.`,
      ),
  ],
  "a crash whose log has addresses, times and numbers of processes": [
    /ended with 1: bind … failed in pid … after …$/,
    (n) => crash(n, `bind 10.0.0.1:${40_000 + n} failed in pid ${n} after ${n}.5s`),
  ],
};

function messageOf({ api }: RunnerLife): string {
  return textAt(findCondition(getClusterVersion(api), "PreflightFailed"), "message") ?? "";
}

function countWrites({ api }: RunnerLife): readonly number[] {
  return [CLUSTER_VERSION, RESULT].map((path) => api.writes.filter((write) => write.includes(path)).length);
}

describe("one failure is one write of ClusterVersion and one of preflight-result", () => {
  for (const [what, [expected, report]] of Object.entries(FAILURES))
    test(what, async () => {
      const life = await startRunnerLife();
      const [clusterVersion = 0, result = 0] = countWrites(life);
      for (let n = 0; n < TIMES; n += 1) await life.observe(n + 1, report(n));
      assert.match(messageOf(life), expected);
      assert.deepEqual(countWrites(life), [clusterVersion + 1, result + 1]);
    });

  test("and another failure of the same reason is another write", async () => {
    const life = await startRunnerLife();
    for (const message of ["manifest unknown", "unauthorized", "dial tcp 10.0.0.1:1: EOF", "manifest unknown"]) {
      await life.observe(1, pull("ErrImagePull", message));
      assert.match(messageOf(life), new RegExp(`pulled: ${message.replace("10.0.0.1:1", "…")}$`));
      await life.observe(2, pull("ImagePullBackOff", ""));
      assert.match(messageOf(life), new RegExp(`pulled: ${message.replace("10.0.0.1:1", "…")}$`));
    }
  });

  test("with another registry that can't be reached, too", async () => {
    const life = await startRunnerLife();
    for (const host of ["a.example", "b.example"]) {
      await life.observe(1, pull("ErrImagePull", `Get "https://${host}/v2/": EOF`));
      assert.match(messageOf(life), new RegExp(`https://${host}/v2/`));
    }
  });
});

describe("the text of a failure", () => {
  for (const [what, text, expected] of [
    [
      "a quota",
      'pods "cluster-version-operator-preflight-7d9f8b6c5-x2x4z" is forbidden: exceeded quota: compute, requested: memory=160Mi, used: cpu=1,memory=900Mi, limited: cpu=4,memory=1Gi',
      'pods "cluster-version-operator-preflight" is forbidden: exceeded quota: compute, requested: memory=160Mi, limited: cpu=4,memory=1Gi',
    ],
    [
      "a webhook",
      'failed calling webhook "a.example": Post "https://a.b.svc:443/v?timeout=10s": dial tcp 172.30.4.5:443: connect: connection refused',
      'failed calling webhook "a.example": Post "https://a.b.svc:443/v?timeout=10s": dial tcp …: connect: connection refused',
    ],
    [
      "a mount",
      "(combined from similar events): Unable to attach or mount volumes: unmounted volumes=[a], unattached volumes=[c a b], failed to process volumes=[]: timed out waiting",
      "Unable to attach or mount volumes: unmounted volumes=[a]: timed out waiting",
    ],
  ] as const)
    test(`keeps the names of ${what}`, () => assert.equal(toFailureText(text), expected));

  test("is also that of a Deployment that the API server refuses", async () => {
    const write = { method: "PATCH", path: RUNNER, body: {} } as const;
    const actions = [{ kind: "runner", description: "apply", write }] as const;
    const refusals = [41_234, 41_235].map(async (port) => {
      const message = `calling webhook "a": dial tcp 10.0.0.1:${port}: EOF`;
      const api = { write: async () => ({ kind: "refused", message }) as const };
      return (await applyActions(actions, api, SILENT_LOGGER, new AbortController().signal)).refusal;
    });
    assert.deepEqual(new Set(await Promise.all(refusals)), new Set(['calling webhook "a": dial tcp …: EOF']));
  });
});
