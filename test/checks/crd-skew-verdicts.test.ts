import assert from "node:assert/strict";
import { test } from "node:test";
import {
  buildFailsTodayNotices,
  buildObjectFindings,
  buildRuleUnknowns,
} from "../../src/checks/crd-skew/object-findings.ts";
import { type ObjectVerdict, type VersionVerdict, getFieldEffect } from "../../src/checks/crd-skew/object-verdict.ts";
import {
  buildRefusalUnknowns,
  buildRefusedFindings,
  isAccepted,
  isRefused,
} from "../../src/checks/crd-skew/refused-crds.ts";
import { buildCrd, parseVersions, WIDGET_NAMES } from "../support/checks/widgets.ts";

const INVALID = "FieldValueInvalid" as const;
const OBJECT = { apiVersion: "example.com/v1", kind: "Widget", namespace: "shop", name: "a" };
const VERDICT: ObjectVerdict = { object: OBJECT, versions: [], defaultedFields: [], hasErrorsToday: false };
const IN_VERSION: VersionVerdict = {
  versions: [],
  managers: [],
  errors: [],
  effect: "rejected",
  scaleErrors: [],
  applyFaults: [],
  prunedPaths: [],
  droppedFields: [],
  unevaluatedRules: [],
};

function inVersion(...versions: readonly Partial<VersionVerdict>[]): ObjectVerdict {
  return { ...VERDICT, versions: versions.map((more) => ({ ...IN_VERSION, ...more })) };
}

const CRD = buildCrd(parseVersions("v1 v2*"), ["v1", "v2"]);

test("tells each reason for which the API server refuses a definition", () => {
  const verdict = (...reasons: readonly (readonly [versionName: string, reason: string])[]) => ({
    refusals: reasons.map(([name, reason]) => ({ path: "spec.a", version: name, reason })),
    undecided: [],
  });
  const table: readonly (readonly [versionName: string, reason: string, text: string])[] = [
    ["", "must be an object", "the definition, because this field must be an object"],
    ["v1", "must be an object", "version v1, because this field must be an object"],
    ["v1", "has no type", "version v1, because this field has no type"],
    ["", "can't be set", "the definition, because this field can't be set"],
    ["v1", "hasn't a type", "this field of version v1: hasn't a type"],
    ["", "undeclared reference: it must be declared", "this field: undeclared reference: it must be declared"],
  ];
  for (const [name, reason, text] of table) {
    const [finding] = buildRefusedFindings({ target: CRD, installed: undefined, verdict: verdict([name, reason]) });
    assert.deepEqual([finding?.message, finding?.path], [`The API server refuses ${text}.`, "spec.a"]);
  }
  const target = buildCrd(parseVersions("v2*"), [], { scope: "Cluster", names: { ...WIDGET_NAMES, singular: "w" } });
  const risks = (installed: typeof CRD | undefined, ...reasons: readonly string[]) =>
    buildRefusedFindings({ target, installed, verdict: verdict(...reasons.map((one) => ["", one] as const)) }).map(
      ({ risk }) => risk,
    );
  assert.deepEqual(risks(CRD), []);
  assert.deepEqual(risks(undefined, "is odd"), ["CrdRefused"]);
  assert.deepEqual(risks(CRD, "is odd"), ["CrdRefused", "CrdStoredVersionRemoved", "CrdScopeOrKindChanged"]);
});

test("says what it can't tell of a definition, unless the definition is refused anyway", () => {
  const refusal = { path: "spec.a", version: "", reason: "is odd" };
  const undecided = { path: "spec.b", version: "v1", reason: "it is new" };
  const judge = (refusals: readonly (typeof refusal)[], open: readonly (typeof undecided)[]) => {
    const judged = { target: CRD, installed: undefined, verdict: { refusals, undecided: open } };
    return [
      isAccepted(judged),
      isRefused(judged),
      buildRefusalUnknowns(judged, "4.19.2")
        .map(({ message }) => message)
        .join(),
    ];
  };
  const message = "preflight cannot tell whether the API server accepts spec.b of version v1 in 4.19.2: it is new";
  assert.deepEqual(judge([], []), [true, false, ""]);
  assert.deepEqual(judge([refusal], []), [false, true, ""]);
  assert.deepEqual(judge([], [undecided]), [false, false, message]);
  assert.deepEqual(judge([refusal], [undecided]), [false, true, ""]);
});

test("reports of an object what is rejected, what apply refuses and what is dropped", () => {
  const error = (path: string, more: object = {}) => ({
    type: INVALID,
    path,
    message: `${path} is odd`,
    ...more,
  });
  const list = (more: Partial<VersionVerdict>) =>
    buildObjectFindings([inVersion(more)]).map(({ risk, path, message, detail }) => [
      risk.replace("CustomResource", ""),
      path,
      message,
      [detail?.["kind"], detail?.["effect"]].filter((one) => one !== undefined).join(" "),
    ]);
  assert.deepEqual(list({}), []);
  assert.deepEqual(list({ errors: [error("a"), error("", { isTransition: true })] }), [
    ["Invalid", "a", "a is odd.", "invalid rejected"],
    ["Invalid", undefined, " is odd.", "transition rejected"],
  ]);
  assert.deepEqual(
    list({ effect: "ratcheted", errors: [error("a"), error("b")], applyFaults: [error("b"), error("c")] }),
    [
      ["FieldsFrozen", "a", "a is odd.", "invalid ratcheted"],
      ["FieldsFrozen", "b", "b is odd.", "invalid applyRefused"],
      ["FieldsFrozen", "c", "c is odd.", "unmergeable applyRefused"],
    ],
  );
  const drop = (path: string, isMalformed = false) => ({ path, message: `${path} is odd`, isMalformed });
  const droppedFields = [drop("spec.b", true), drop("spec.c"), drop("status.d")];
  const prunedPaths = ["spec.a", "status", "status.a", "status[0]", "statuses"];
  const dropped = buildObjectFindings([inVersion({ prunedPaths, droppedFields })]);
  assert.deepEqual(
    dropped.map(({ path, detail }) => `${path} ${detail?.["kind"]}`),
    ["spec.a pruned", "statuses pruned", "spec.b malformed", "spec.c pruned"],
  );
  assert.equal(getFieldEffect(IN_VERSION, { ...error("a"), isUnreadable: true }), "unreadable");
  assert.equal(getFieldEffect({ ...IN_VERSION, applyFaults: [error("a")] }, error("a")), "rejected");
});

test("notices the objects of each kind that are invalid today", () => {
  const build = (kind: string, name: string, hasErrorsToday = true) => ({
    ...VERDICT,
    hasErrorsToday,
    object: { ...OBJECT, kind, name },
  });
  const cause = "values that today's schema already rejects, so the update is not the cause:";
  const whole = { ...VERDICT, hasErrorsToday: true, object: { apiVersion: "a/v1", kind: "C", name: "d" } };
  assert.deepEqual(
    buildFailsTodayNotices([build("A", "a"), build("B", "b"), build("A", "c"), build("A", "d", false), whole]),
    [
      `2 objects of kind A have ${cause} shop/a and shop/c.`,
      `1 object of kind B has ${cause} shop/b.`,
      `1 object of kind C has ${cause} d.`,
    ],
  );
});

test("counts the rules of a kind that it can't evaluate, and names the first", () => {
  const rule = (location: string, text: string, path = "spec.a") => ({
    location,
    rule: text,
    path,
    reason: "it is new",
  });
  const judge = (...rules: readonly ReturnType<typeof rule>[]) =>
    buildRuleUnknowns("widgets", [inVersion({ unevaluatedRules: rules })], "4.19.2");
  assert.deepEqual(judge(), []);
  const [one] = judge(rule("b", "x"), rule("b", "x"));
  assert.equal(
    one?.message,
    "4.19.2 adds or changes 1 CEL rule for existing objects such as spec.a of Widget shop/a, and preflight cannot evaluate it",
  );
  const [two] = judge(rule("b", "y"), rule("b", "x", ""), rule("c", "x"));
  assert.equal(
    two?.message,
    "4.19.2 adds or changes 3 CEL rules for existing objects such as Widget shop/a, and preflight cannot evaluate them",
  );
  assert.deepEqual([one.at?.path, two.at?.path], ["spec.a", undefined]);
});

test("names the versions in which a fault is, who writes in them, and the others that it makes refuse applies", () => {
  const error = { type: INVALID, path: "a", message: "It is odd" };
  const list = (...versions: readonly Partial<VersionVerdict>[]) =>
    buildObjectFindings([inVersion(...versions)]).map(({ message, detail }) => `${message} ${detail?.["versions"]}`);
  const v1 = { versions: ["v1"] };
  const v2 = { versions: ["v2"], managers: ["b", "a"] };
  const ofV2 = { ...error, managedVersion: "v2" };
  assert.deepEqual(list({ ...v1, errors: [error] }), ["It is odd (in version v1). v1"]);
  assert.deepEqual(list({ ...v2, errors: [error] }), ["It is odd (in version v2, in which a and b write). v2"]);
  assert.deepEqual(list({ ...v1, errors: [error] }, { ...v2, errors: [error], managers: ["a"] }), [
    "It is odd (in versions v1 and v2, in which a writes). v1,v2",
  ]);
  assert.deepEqual(list({ ...v1, applyFaults: [ofV2] }), ["It is odd (in version v2, which managed fields name). v1"]);
  assert.deepEqual(list({ ...v1, applyFaults: [ofV2] }, { ...v2, managers: [], errors: [error] }), [
    "It is odd (in version v2; because managed fields name it, server-side apply through v1 fails too). v2",
  ]);
});
