import assert from "node:assert/strict";
import { test } from "node:test";
import check, {
  buildControllerFindings,
  buildEvaluationNotices,
  buildUnknowns,
  keepIngressController,
  buildLaterNotices,
  buildRouteFindings,
  canJudgeRoutes,
  keepMarkedRoute,
} from "../../src/checks/ingress-controllers/check.ts";
import { buildContext, type Context } from "../../src/model/check.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { release, version } from "../support/fixtures.ts";
import { present } from "../support/present.ts";

function buildUpdate(source: string, target: string): Context {
  return buildContext(version(source), release(target), new Date(0));
}

function keepController(conditions: readonly JsonObject[], namespace = "openshift-ingress-operator", name = "default") {
  const kept = keepIngressController({
    kind: "IngressController",
    metadata: { namespace, name },
    status: { conditions },
  });
  return kept === undefined ? [] : [kept];
}

test("repeats what the operator says of an ingress controller, in one line", () => {
  const says = "The ingress operator reports Upgradeable=False";
  const table: readonly (readonly [condition: JsonObject, message?: string])[] = [
    [{ status: "False", reason: "Why", message: "It  is\n old. " }, `${says}: It is old.`],
    [{ status: "False", reason: "Why", message: "It is old" }, `${says}: It is old.`],
    [{ status: "False", reason: "Why", message: "Wait. . ." }, `${says}: Wait.`],
    [{ status: "False", reason: "Why", message: " \n " }, `${says}: Why.`],
    [{ status: "False", reason: "Why" }, `${says}: Why.`],
    [{ status: "False" }, `${says}.`],
    [{ status: "True", reason: "Why" }],
    [{ status: "Unknown" }],
    [{}],
  ];
  for (const [condition, message] of table) {
    const findings = buildControllerFindings(keepController([{ type: "Upgradeable", ...condition }]));
    assert.deepEqual(
      findings.map((one) => one.message),
      message === undefined ? [] : [message],
    );
    assert.deepEqual(
      findings.map((one) => one.detail),
      message === undefined ? [] : [{ reason: condition["reason"] ?? "" }],
    );
  }
  assert.deepEqual(keepController([{ type: "Upgradeable", status: "False" }], "default"), []);
});

test("notices faults that block a later update, sorted by controller", () => {
  const fault = { type: "EvaluationConditionsDetected", status: "True", reason: "Why", message: "Old." };
  const controllers = [
    ...keepController([fault], "openshift-ingress-operator", "web"),
    ...keepController([{ ...fault, message: "" }], "openshift-ingress-operator", "api"),
    ...keepController([{ ...fault, status: "False" }], "openshift-ingress-operator", "one"),
    ...keepController([], "openshift-ingress-operator", "two"),
  ];
  assert.deepEqual(buildEvaluationNotices(controllers), [
    "IngressController api has a fault that may block a later update: Why.",
    "IngressController web has a fault that may block a later update: Old.",
  ]);
});

test("doesn't understand a condition that is neither True nor False, but waits for one that is not set", () => {
  const where = "ingresscontrollers.operator.openshift.io openshift-ingress-operator/default";
  const message = "its condition Upgradeable is neither True nor False";
  const table: readonly (readonly [conditions: readonly JsonObject[], isUnknown: boolean])[] = [
    [[], false],
    [[{ type: "Upgradeable", status: "True" }], false],
    [[{ type: "Upgradeable", status: "False" }], false],
    [[{ type: "Upgradeable", status: "Unknown" }], true],
    [[{ type: "Upgradeable" }], true],
    [[{ type: "Admitted", status: "Unknown" }], false],
  ];
  for (const [conditions, isUnknown] of table)
    assert.deepEqual(
      buildUnknowns(keepController(conditions)),
      isUnknown ? [{ reason: "NotUnderstood", where, message }] : [],
    );
});

test("keeps the first mark of a route, with the router's message", () => {
  const mark = { type: "UnservableInFutureVersions", status: "True", message: "It  uses\n SHA1. " };
  const build = (...ingress: readonly JsonObject[]): JsonObject => ({
    kind: "Route",
    apiVersion: "route.openshift.io/v1",
    metadata: { namespace: "shop", name: "web" },
    status: { ingress },
  });
  const object = { apiVersion: "route.openshift.io/v1", kind: "Route", namespace: "shop", name: "web" };
  const admitted = { routerName: "one", conditions: [{ type: "Admitted", status: "True" }] };
  const marked = { routerName: "two", conditions: [{ ...mark, status: "False" }, mark] };
  const kept = { object, router: "two", message: "It uses SHA1." };
  assert.deepEqual(keepMarkedRoute(build(admitted, marked, { ...marked, routerName: "three" })), kept);
  assert.deepEqual(keepMarkedRoute(build({ conditions: [{ ...mark, message: null }] })), {
    ...kept,
    router: "",
    message: "",
  });
  for (const ingress of [
    [],
    [admitted],
    [{ conditions: [{ ...mark, status: "False" }] }],
    [{ conditions: [{ ...mark, type: "Other" }] }],
  ])
    assert.equal(keepMarkedRoute(build(...ingress)), undefined);
  const text = (message: string) => buildRouteFindings([{ ...kept, message }])[0]?.message;
  assert.equal(text("It uses SHA1. . "), "Router two can't serve it from 4.16 on: It uses SHA1.");
  assert.equal(text(""), "Router two can't serve it from 4.16 on.");
});

test("judges routes if the routers of the source mark those that the target's reject", () => {
  const table: readonly (readonly [source: string, target: string, canJudge: boolean, isLater: boolean])[] = [
    ["4.15.17", "4.16.1", false, true],
    ["4.15.18", "4.16.1", true, false],
    ["4.15.19", "4.16.1", true, false],
    ["4.15.18", "4.17.1", true, false],
    ["4.14.30", "4.15.20", false, false],
    ["4.14.30", "4.16.1", false, true],
    ["4.16.1", "4.17.1", false, false],
  ];
  for (const [source, target, canJudge, isLater] of table) {
    const update = buildUpdate(source, target);
    assert.equal(canJudgeRoutes(update), canJudge, source);
    assert.equal(buildLaterNotices(update).length, isLater ? 1 : 0, source);
  }
  assert.match(buildLaterNotices(buildUpdate("4.15.3", "4.16.1")).join(), /but those of 4\.15\.3 don't: run /);
});

test("reads controllers only for an update to another minor, and routes only if they can be judged", () => {
  const table: readonly (readonly [source: string, target: string, hasOperator: boolean, reads: readonly string[]])[] =
    [
      ["4.15.18", "4.16.1", true, ["controllers", "routes"]],
      ["4.15.17", "4.16.1", true, ["controllers"]],
      ["4.15.18", "4.15.19", true, []],
      ["4.15.18", "4.16.1", false, []],
    ];
  for (const [source, target, hasOperator, reads] of table) {
    const operator = hasOperator
      ? ({ kind: "found", value: true } as const)
      : ({ kind: "absent", what: "object" } as const);
    assert.deepEqual(
      Object.keys(present(check.follow?.({ operator }, buildUpdate(source, target)) ?? {})),
      reads,
      source,
    );
  }
});
