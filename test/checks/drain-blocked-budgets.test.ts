import assert from "node:assert/strict";
import { test } from "node:test";
import { isFailureOfPod, parseBudget, parseFailureSubject } from "../../src/checks/drain-blocked/budget.ts";
import { canOverlap, readsPods } from "../../src/checks/drain-blocked/pods.ts";
import type { JsonObject } from "../../src/model/json.ts";

function buildBudget(selector: JsonObject, more: JsonObject = {}): JsonObject {
  return { metadata: { name: "web", namespace: "demo" }, spec: { selector }, ...more };
}

const FAILED = { type: "DisruptionAllowed", status: "False", reason: "SyncFailed", message: "no scale" };

test("reads the pods of a budget whose status alone doesn't decide", () => {
  const none = { disruptionsAllowed: 0, desiredHealthy: 0, expectedPods: 0 };
  const table: readonly (readonly [why: string, spec: JsonObject, status: JsonObject, generation: number, boolean])[] =
    [
      ["it allows a disruption", { maxUnavailable: 1 }, { ...none, disruptionsAllowed: 1 }, 1, false],
      ["the status is stale", { minAvailable: 1 }, { disruptionsAllowed: 1 }, 2, true],
      ["the status is stale, and has no pods", { minAvailable: 1 }, none, 2, true],
      ["the controller fails", { minAvailable: 1 }, { conditions: [FAILED] }, 1, true],
      ["the controller failed earlier", { minAvailable: 1 }, { conditions: [{ ...FAILED, status: "True" }] }, 1, false],
      ["the status lacks numbers", { maxUnavailable: 1 }, { disruptionsAllowed: 0 }, 1, false],
      ["pods are counted, and there are none", { minAvailable: 1 }, none, 1, false],
      ["pods are counted, and there is one", { minAvailable: 1 }, { ...none, expectedPods: 1 }, 1, true],
      ["replicas are counted", { maxUnavailable: 1 }, none, 1, true],
      ["replicas are counted in percent", { minAvailable: "50%" }, none, 1, true],
      ["replicas are counted without a limit", {}, none, 1, true],
    ];
  for (const [why, spec, status, generation, expected] of table) {
    const metadata = { name: "web", namespace: "demo", generation };
    const budget = parseBudget({ metadata, spec, status: { observedGeneration: 1, ...status } });
    assert.equal(readsPods(budget), expected, why);
  }
});

test("compares up to fifty selectors in pairs, and any number that require other values of one label", () => {
  const labelled = (count: number) => Array.from({ length: count }, (_, i) => ({ matchLabels: { app: `app-${i}` } }));
  const without = { matchExpressions: [{ key: "app", operator: "DoesNotExist" }] };
  const notIn = { matchExpressions: [{ key: "app", operator: "NotIn", values: ["app-0"] }] };
  const table: readonly (readonly [selectors: readonly JsonObject[], expected: boolean])[] = [
    [[], false],
    [labelled(1), false],
    [labelled(2), false],
    [labelled(60), false],
    [[...labelled(49), without], false],
    [[...labelled(50), without], true],
    [[without, ...labelled(60)], true],
    [[...labelled(60), { matchLabels: { app: "app-59" } }], true],
    [[...labelled(60), { matchLabels: { tier: "front" } }], true],
    [[...labelled(60), notIn], true],
    [[...labelled(2), { matchLabels: { app: "app-1", tier: "front" } }], true],
    [[...labelled(2), {}], true],
  ];
  for (const [selectors, expected] of table)
    assert.equal(canOverlap(selectors.map((one) => parseBudget(buildBudget(one)))), expected, `${selectors.length}`);
});

test("compares neither budgets without a selector nor those of virtual machines", () => {
  const selector = { matchLabels: { app: "web" } };
  const owner = { apiVersion: "kubevirt.io/v1", kind: "VirtualMachineInstance" };
  const web = buildBudget(selector);
  const machine = buildBudget(selector, { metadata: { ownerReferences: [owner] } });
  const overlaps = (...budgets: readonly JsonObject[]) => canOverlap(budgets.map(parseBudget));
  assert.ok(overlaps(web, web));
  assert.ok(!overlaps(web, machine));
  assert.ok(!overlaps(web, { metadata: { name: "none", namespace: "demo" }, spec: {} }));
});

test("parses what the failure of a disruption controller is about", () => {
  const jobs = { kind: "resource", plural: "jobs", group: "batch" };
  const table: readonly (readonly [message: string, subject: unknown])[] = [
    ['found no controllers for pod "web-0"', { kind: "pod", name: "web-0" }],
    ['found no controllers for pod ""', { kind: "pod", name: "" }],
    ['it found no controllers for pod "web-0"', undefined],
    ['found no controllers for pod "web-0", again', undefined],
    ["jobs.batch does not implement the scale subresource", jobs],
    ["jobs.batch does not implement the scale", jobs],
    ["pods does not implement the scale subresource", { kind: "resource", plural: "pods", group: "" }],
    ["webs.apps.example.com does not implement the scale", { ...jobs, plural: "webs", group: "apps.example.com" }],
    ["the jobs.batch does not implement the scale subresource", undefined],
    [".batch does not implement the scale subresource", undefined],
    ["jobs.batch is not served", undefined],
    ["", undefined],
  ];
  for (const [message, subject] of table) assert.deepEqual(parseFailureSubject(message), subject, message);
});

test("tells which pod a failure is about by its name, or by its controller", () => {
  const ofPod = 'found no controllers for pod "web-0"';
  const ofJobs = "jobs.batch does not implement the scale";
  const build = (kind: string, apiVersion = "batch/v1"): JsonObject => ({ apiVersion, kind });
  const table: readonly (readonly [message: string, controller: JsonObject | undefined, expected: boolean])[] = [
    [ofPod, build("Job"), true],
    [ofPod.replace("0", "1"), build("Job"), false],
    [ofPod, undefined, false],
    [ofJobs, build("Job"), true],
    [ofJobs, build("Job", "example.com/v1"), false],
    [ofJobs, build("CronJob"), false],
    ["pods does not implement the scale", build("Pod", "v1"), true],
    ["pods does not implement the scale", build("Pod", ""), true],
    ["jobs.batch does not implement the scale", build("Job", "v1"), false],
    ["policies.batch does not implement the scale", build("Policy"), true],
    ["cyclejobs.batch does not implement the scale", build("CycleJob"), true],
    ["jobs.batch is not served", build("Job"), false],
  ];
  for (const [message, controller, expected] of table)
    assert.equal(isFailureOfPod(message, { metadata: { name: "web-0" } }, controller), expected, message);
});
