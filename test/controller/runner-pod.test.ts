import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { buildRunnerDeployment } from "../../src/controller/runner/runner-deployment.ts";
import { diagnoseRunner } from "../../src/controller/runner/runner-pod.ts";
import type { RunnerState } from "../../src/lift/progress/runner-state.ts";
import { at, type JsonObject, objectAt } from "../../src/model/json.ts";
import { imageOf, NOW } from "../../verify/operator/status-sample.ts";
import { SETTINGS } from "../support/controller/reconcile.ts";

const MADE = "2026-03-01T11:58:00Z";
const PAYLOAD = { kind: "offered", version: "5.2.0", image: imageOf("5.2.0") } as const;
const DEPLOYMENT: JsonObject = withMade(buildRunnerDeployment(PAYLOAD, SETTINGS.runner));
const RUNNING = { state: { running: { startedAt: "2026-03-01T11:59:00Z" } } };
const OOM = { terminated: { reason: "OOMKilled", exitCode: 137 } };
const CRASH = {
  terminated: { reason: "Error", exitCode: 2, message: "one\ntwo\n", finishedAt: "2026-03-01T11:58:50Z" },
};
const EVICTION = { phase: "Failed", reason: "Evicted", message: "low on ephemeral-storage. Available: 3Ki." };
const LATER_POD = { name: "runner-2", creationTimestamp: "2026-03-01T11:59:30Z" };

function withMade(object: JsonObject): JsonObject {
  return { ...object, metadata: { ...objectAt(object, "metadata"), creationTimestamp: MADE } };
}

function pod(status: JsonObject, metadata: JsonObject = {}): JsonObject {
  const labels = objectAt(DEPLOYMENT, "spec", "template", "metadata", "labels");
  return { metadata: { name: "runner-1", creationTimestamp: "2026-03-01T11:58:30Z", labels, ...metadata }, status };
}

function container(status: JsonObject): JsonObject {
  return { containerStatuses: [{ name: "preflight", image: "example.com/preflight", ready: false, ...status }] };
}

function init(status: JsonObject): JsonObject {
  return { initContainerStatuses: [{ name: "target", image: "example.com/target", ready: false, ...status }] };
}

function waiting(reason: string, message = ""): JsonObject {
  return { state: { waiting: { reason, ...(message === "" ? {} : { message }) } } };
}

function without({ terminated }: typeof CRASH, key: string): JsonObject {
  return { terminated: Object.fromEntries(Object.entries(terminated).filter(([one]) => one !== key)) };
}

function withMessage(message: string): JsonObject {
  return { terminated: { ...CRASH.terminated, message } };
}

function stateText(pods: readonly JsonObject[], deployment = DEPLOYMENT, troubles = new Map<string, string>()): string {
  const state: RunnerState = diagnoseRunner(deployment, pods, troubles, NOW);
  if (state.kind === "down") return `${state.reason}: ${state.message}`;
  if (state.kind === "restarted")
    return `restarted ${state.current.kind} ${state.current.since.toISOString()} ${state.failure.reason}: ${state.failure.message}, ${state.failedAt.toISOString()}`;
  return state.kind === "up" || state.kind === "starting" ? `${state.kind} ${state.since.toISOString()}` : state.kind;
}

const TABLE: readonly (readonly [string, readonly JsonObject[], RegExp])[] = [
  ["no pod yet", [], /^starting 2026-03-01T11:58:00/],
  ["a starting pod", [pod(init(waiting("PodInitializing")))], /^starting 2026-03-01T11:58:30/],
  ["a running pod", [pod(container(RUNNING))], /^up 2026-03-01T11:59:00/],
  [
    "a target image that can't be pulled",
    [pod(init(waiting("ImagePullBackOff", "manifest unknown")))],
    /^ImagePullFailed: The image example\.com\/target .*manifest unknown$/,
  ],
  [
    "a preflight image that can't be pulled",
    [pod(container(waiting("ErrImagePull")))],
    /^ImagePullFailed: The image example\.com\/preflight /,
  ],
  [
    "the same, in the back-off of a kubelet that repeats the cause",
    [pod(container(waiting("ImagePullBackOff", 'Back-off pulling image "a:b": ErrImagePull: manifest unknown')))],
    /^ImagePullFailed: The image example\.com\/preflight could not be pulled: manifest unknown$/,
  ],
  ["an invalid image name", [pod(container(waiting("InvalidImageName")))], /^ImagePullFailed/],
  [
    "a missing signature",
    [pod(init(waiting("SignatureValidationFailed", "no signature")))],
    /^ImagePullFailed: .*no signature$/,
  ],
  [
    "no node",
    [
      pod({
        phase: "Pending",
        conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message: "0/6 nodes" }],
      }),
    ],
    /^Unschedulable: .*0\/6 nodes$/,
  ],
  [
    "a container killed for lack of memory",
    [pod(container({ ...waiting("CrashLoopBackOff"), lastState: OOM }))],
    /^OutOfMemory: The container preflight /,
  ],
  ["the same, just terminated", [pod(container({ state: OOM }))], /^OutOfMemory/],
  [
    "the same, restarted but not ready",
    [pod(container({ ...RUNNING, lastState: OOM }))],
    /^restarted up 2026-03-01T11:59:00.000Z OutOfMemory: .*, 2026-03-01T11:59:00.000Z$/,
  ],
  ["the same, restarted and ready", [pod(container({ ...RUNNING, lastState: OOM, ready: true }))], /^up/],
  [
    "an eviction for memory",
    [pod({ phase: "Failed", reason: "Evicted", message: "The node was low on resource: memory." })],
    /^OutOfMemory/,
  ],
  [
    "another eviction",
    [pod(EVICTION)],
    /^RunnerCrashed: The runner's pod was evicted or failed: Evicted: low on ephemeral-storage\.$/,
  ],
  [
    "an evicted pod and its successor",
    [pod(EVICTION), pod({ phase: "Pending" }, LATER_POD)],
    /^restarted starting 2026-03-01T11:59:30.000Z RunnerCrashed: .*Evicted/,
  ],
  [
    "an evicted pod and its successor of the same second",
    [pod({ phase: "Pending" }, { name: "runner-2" }), pod(EVICTION), pod(EVICTION, { name: "runner-3" })],
    /^restarted starting /,
  ],
  [
    "an evicted pod and its ready successor",
    [pod(EVICTION), pod(container({ ...RUNNING, ready: true }), LATER_POD)],
    /^up/,
  ],
  [
    "a crash",
    [pod(container({ ...waiting("CrashLoopBackOff", "back-off 5m0s"), lastState: CRASH }))],
    /^RunnerCrashed: The container preflight ended with 2: two$/,
  ],
  [
    "a crash, just terminated",
    [pod(container({ state: CRASH }))],
    /^RunnerCrashed: The container preflight ended with 2: two$/,
  ],
  [
    "a crash, restarted but not ready",
    [pod(container({ ...RUNNING, lastState: CRASH }))],
    /^restarted up 2026-03-01T11:59:00.000Z RunnerCrashed: The container preflight ended with 2: two, 2026-03-01T11:58:50.000Z$/,
  ],
  [
    "a crash without a message",
    [pod(container({ ...waiting("CrashLoopBackOff", "back-off 5m0s"), lastState: without(CRASH, "message") }))],
    /^RunnerCrashed: The container preflight ended with 2: Error$/,
  ],
  [
    "a crash whose log has the time and an address",
    [
      pod(
        container({
          state: withMessage(
            '{"time":"2026-03-01T11:58:50.123Z","message":"no","why":"0x7f00aa11 at 2026-03-01T11:58:49Z"}',
          ),
        }),
      ),
    ],
    /^RunnerCrashed: The container preflight ended with 2: no: … at …$/,
  ],
  [
    "a copy container that restarted",
    [pod(init({ ...RUNNING, lastState: CRASH }))],
    /^restarted starting 2026-03-01T11:59:00.000Z RunnerCrashed: The container target /,
  ],
  [
    "a copy container that failed, and has ended well",
    [
      pod({
        ...init({ state: { terminated: { reason: "Completed", exitCode: 0 } }, lastState: CRASH, ready: true }),
        ...container(RUNNING),
      }),
    ],
    /^up/,
  ],
  [
    "a failing copy container",
    [pod(init({ state: { terminated: { reason: "Error", exitCode: 1, message: "cp: full" } } }))],
    /^RunnerCrashed: The container target ended with 1: cp: full$/,
  ],
  [
    "a container that can't be created",
    [pod(container(waiting("CreateContainerConfigError", "no such secret")))],
    /^RunnerCrashed: The container preflight could not be started: no such secret$/,
  ],
  ["only a pod of another run", [pod(container(RUNNING), { labels: { "preflight-run": "0" } })], /^starting/],
  ["only a terminating pod", [pod(container(RUNNING), { deletionTimestamp: MADE })], /^starting/],
  [
    "an old pod beside a new one",
    [pod(container(waiting("ErrImagePull"))), pod(container(RUNNING), { creationTimestamp: "2026-03-01T11:59:30Z" })],
    /^up/,
  ],
];

describe("the state of the runner", () => {
  for (const [what, pods, expected] of TABLE) {
    test(`with ${what}`, () => assert.match(stateText(pods), expected));
  }

  test("with a pod that the API server refuses, be it the first or a successor", () => {
    const condition = { type: "ReplicaFailure", status: "True", reason: "FailedCreate", message: "exceeded quota" };
    for (const pods of [[], [pod(EVICTION)]])
      assert.match(
        stateText(pods, { ...DEPLOYMENT, status: { conditions: [condition] } }),
        /^DeploymentRefused: .*exceeded quota$/,
      );
  });

  test("with a volume that can't be mounted, until the container starts", () => {
    const troubles = new Map([["runner-1", "hostPath type check failed"]]);
    assert.match(
      stateText([pod(init(waiting("PodInitializing")))], DEPLOYMENT, troubles),
      /^VolumeUnavailable: .*check failed$/,
    );
    assert.match(stateText([pod(container(RUNNING))], DEPLOYMENT, troubles), /^up/);
  });
});

describe("the runner's Deployment", () => {
  test("runs the target's image by digest on the controller's node, and the preflight image with the document's folder", () => {
    const spec = objectAt(DEPLOYMENT, "spec", "template", "spec");
    assert.equal(at(spec, "initContainers", 0, "image"), PAYLOAD.image);
    assert.equal(at(spec, "containers", 0, "image"), SETTINGS.runner.image);
    assert.deepEqual(at(spec, "containers", 0, "args"), ["preflight", "--format=preflight-v1-json"]);
    assert.match(JSON.stringify(at(spec, "affinity")), /"metadata\.name","operator":"In","values":\["node-1"\]/);
    assert.equal(at(spec, "volumes", 1, "hostPath", "path"), "/shared");
    assert.equal(at(DEPLOYMENT, "metadata", "labels", "preflight-target"), "5.2.0");
  });

  test("without a node name is placed beside the operator; a version that isn't a valid label value adds no label", () => {
    const { node: _, ...runner } = SETTINGS.runner;
    const made = buildRunnerDeployment({ ...PAYLOAD, version: "5.2.0+build" }, runner);
    assert.match(
      JSON.stringify(at(made, "spec", "template", "spec", "affinity")),
      /"podAffinity".*"k8s-app":"cluster-version-operator"/,
    );
    assert.equal(at(made, "metadata", "labels", "preflight-target"), undefined);
  });
});
