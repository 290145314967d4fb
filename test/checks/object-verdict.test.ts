import { strict as assert } from "node:assert";
import { test } from "node:test";
import { buildServer, compileKind } from "../../src/checks/crd-skew/kind-schemas.ts";
import { planKind } from "../../src/checks/crd-skew/kind-plan.ts";
import { collectVerdicts } from "../../src/checks/crd-skew/objects.ts";
import { type ObjectVerdict, type VersionVerdict, judgeObject } from "../../src/checks/crd-skew/object-verdict.ts";
import { playWrites } from "../../src/checks/crd-skew/writes.ts";
import type { Crd } from "../../src/model/crd.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { buildCrd } from "../support/checks/widgets.ts";

const TEXT: JsonObject = { type: "string" };
const OPEN: JsonObject = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const MINORS = { source: 33, target: 33 };

type Version = {
  readonly spec: JsonObject;
  readonly status?: JsonObject;
  readonly more?: JsonObject;
  readonly hasStatus?: boolean;
};

/** The first version is stored; those whose name ends with a dash are not served. */
function build(versions: Readonly<Record<string, Version>>, storedVersions: readonly string[] = []): Crd {
  const list = Object.entries(versions).map(([name, { spec, status = OPEN, more = {}, hasStatus }], i) => ({
    name: name.replace("-", ""),
    served: !name.endsWith("-"),
    storage: i === 0,
    schema: {
      openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties: spec }, status }, ...more },
    },
    ...(hasStatus ? { subresources: { status: {} } } : {}),
  }));
  return buildCrd(list, storedVersions);
}

function judge(installed: Crd, target: Crd, object: JsonObject, minors = MINORS): ObjectVerdict | undefined {
  const pair = { installed, target };
  const plan = planKind(pair, minors);
  return plan && judgeObject(object, compileKind(pair, plan, plan.reads[0], minors), []);
}

/** "v1 rejected spec.a spec.b": of each version that has errors. */
function formatErrors(verdict: ObjectVerdict | undefined): readonly string[] {
  return (verdict?.versions ?? []).flatMap(({ versions, effect, errors }) =>
    errors.length === 0 ? [] : [[...versions, effect, ...errors.map(({ path }) => path).toSorted()].join(" ")],
  );
}

function pathsOf(part: "applyFaults" | "errors", verdict: ObjectVerdict | undefined): readonly string[] {
  return (verdict?.versions ?? []).flatMap((version: VersionVerdict) => version[part].map(({ path }) => path));
}

function managedBy(...versions: readonly string[]): JsonObject {
  return {
    managedFields: versions.map((name) => ({
      manager: "argocd",
      operation: "Apply",
      apiVersion: `example.com/${name}`,
    })),
  };
}

test("duplicates in a set refuse applies through the versions that managed fields don't name", () => {
  const list = { type: "array", items: TEXT };
  const set = { ...list, "x-kubernetes-list-type": "set" };
  const installed = build({ v1: { spec: { a: list } }, v1beta1: { spec: { a: list } } });
  const target = build({ v1: { spec: { a: set } }, v1beta1: { spec: { a: set } } });
  const refused = (...versions: readonly string[]): readonly (readonly string[])[] =>
    (judge(installed, target, { metadata: managedBy(...versions), spec: { a: ["x", "x"] } })?.versions ?? [])
      .filter(({ applyFaults }) => applyFaults.some(({ path }) => path === "spec.a[1]"))
      .map((verdict) => verdict.versions);
  assert.deepEqual(refused("v1"), [["v1beta1"]]);
  assert.deepEqual(refused("v1", "v1beta1"), [["v1"], ["v1beta1"]]);
  assert.deepEqual(refused(), []);
});

test("a field that only the schema of the stored version lacks is dropped, and its default is set", () => {
  const installed = build({ "v1beta1-": { spec: { a: TEXT, b: TEXT } }, v1: { spec: { a: TEXT, b: TEXT } } });
  const stored = { spec: { b: { ...TEXT, default: "x" } } };
  const target = build({ "v1beta1-": stored, v1: { spec: { a: TEXT, b: { ...TEXT, maxLength: 0 } } } });
  const verdict = judge(installed, target, { spec: { a: "1" } }, { source: 29, target: 29 });
  assert.deepEqual(verdict?.versions[0]?.prunedPaths, ["spec.a"]);
  assert.deepEqual(formatErrors(verdict), ["rejected spec.b"]);
});

test("what a webhook converts is not read by the schema of the stored version", () => {
  const find = (strategy: string): readonly string[] | undefined => {
    const webhook = (crd: Crd): Crd => ({ ...crd, conversion: { strategy } });
    const versions = (a: JsonObject) => ({ v1beta1: { spec: { b: TEXT } }, v1: { spec: { a } } });
    return planKind(
      { installed: webhook(build(versions({ type: "integer" }))), target: webhook(build(versions(TEXT))) },
      MINORS,
    )?.storedIn;
  };
  assert.deepEqual(find("None"), ["v1beta1"]);
  assert.deepEqual(find("Webhook"), []);
});

test("a rule that a malformed status keeps from running is told, if status has a subresource", () => {
  const status: JsonObject = { type: "object", required: ["c"], properties: { c: TEXT } };
  const spec = { a: { ...TEXT, "x-kubernetes-validations": [{ rule: "self == 'A'" }] } };
  const judgeStatus = (hasStatus: boolean): readonly string[] =>
    pathsOf(
      "errors",
      judge(build({ v1: { spec: { a: TEXT }, hasStatus } }), build({ v1: { spec, status, hasStatus } }), {
        spec: { a: "1" },
        status: {},
      }),
    ).toSorted();
  assert.deepEqual(judgeStatus(true), ["spec.a", "status.c"]);
  assert.deepEqual(judgeStatus(false), ["status.c"]);
});

test("an atomic root refuses every server-side apply", () => {
  const plain = build({ v1: { spec: { a: TEXT } } });
  const atomic = build({ v1: { spec: { a: TEXT }, more: { "x-kubernetes-map-type": "atomic" } } });
  assert.deepEqual(pathsOf("applyFaults", judge(plain, atomic, { spec: {} })), [""]);
  const other = build({ v1: { spec: { a: TEXT, b: TEXT }, more: { "x-kubernetes-map-type": "atomic" } } });
  assert.equal(judge(atomic, other, { spec: {} }), undefined);
});

test("each version is judged, and those that are alike as one", () => {
  const plain = { spec: { a: TEXT, list: { type: "array", items: TEXT } } };
  const strict = { spec: { ...plain.spec, a: { ...TEXT, enum: ["A"] } } };
  const installed = build({ v1: plain, v1beta1: plain, v1alpha1: plain });
  const object = { metadata: managedBy("v1beta1"), spec: { a: "B" } };
  assert.deepEqual(formatErrors(judge(installed, build({ v1: plain, v1beta1: strict, v1alpha1: plain }), object)), [
    "v1beta1 ratcheted spec.a",
  ]);
  const alike = judge(installed, build({ v1: plain, v1beta1: strict, v1alpha1: strict }), object);
  assert.deepEqual(formatErrors(alike), ["v1beta1 v1alpha1 ratcheted spec.a"]);
  assert.deepEqual(alike?.versions[0]?.managers, ["argocd"]);
});

test("types of a version that managed fields name refuse applies through any other", () => {
  const plain = { spec: { a: TEXT, o: { type: "object" } } };
  const installed = build({ v1: plain, v1beta1: plain });
  const through = (target: Version, spec: JsonObject, ...managed: readonly string[]): readonly string[] =>
    (
      judge(installed, build({ v1: plain, "v1beta1-": target }), { metadata: managedBy(...managed), spec })?.versions ??
      []
    ).flatMap(({ applyFaults }) => applyFaults.map(({ path, managedVersion }) => `${managedVersion} ${path}`));
  const integer = { spec: { ...plain.spec, a: { type: "integer" } } };
  assert.deepEqual(through(integer, { a: "1" }, "v1beta1"), ["v1beta1 spec.a"]);
  assert.deepEqual(through(integer, { a: "1" }, "v1"), []);
  assert.deepEqual(through({ spec: { o: { type: "object" } } }, { a: "1" }, "v1", "v1beta1"), ["v1beta1 spec.a"]);
  assert.deepEqual(
    through({ spec: { a: TEXT, o: { type: "object", properties: { b: TEXT } } } }, { o: {} }, "v1beta1"),
    [],
  );
  assert.deepEqual(through({ spec: { a: TEXT, o: OPEN } }, { o: {} }, "v1beta1"), []);
});

test("a rule that refuses a label is told where today's schema refuses the value too", () => {
  const ruled = (...rules: readonly string[]): Crd =>
    build({ v1: { spec: { a: { ...TEXT, "x-kubernetes-validations": rules.map((rule) => ({ rule })) } } } });
  const short = "self.size() < 2";
  const same = "self != oldSelf";
  const object = { spec: { a: "AB" } };
  assert.deepEqual(formatErrors(judge(ruled(short), ruled(short, same), object)), ["rejected spec.a"]);
  assert.deepEqual(judge(ruled(short), ruled(short, "self != 'AB'"), object)?.versions, []);
  assert.deepEqual(judge(ruled(short, same), ruled(short, same, "true"), object)?.versions, []);
});

test("a field that is missing beside the number of replicas refuses to scale, where a label passes", () => {
  const versionOf = (required: readonly string[]): Crd => {
    const spec = { type: "object", required, properties: { a: TEXT, replicas: { type: "integer" } } };
    const scale = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };
    const schema = { openAPIV3Schema: { type: "object", properties: { spec, status: OPEN } } };
    return buildCrd([{ name: "v1", served: true, storage: true, schema, subresources: { scale } }]);
  };
  const verdict = judge(versionOf([]), versionOf(["a"]), { spec: { replicas: 2 } });
  assert.deepEqual(formatErrors(verdict), ["ratcheted spec.a"]);
  assert.deepEqual(
    verdict?.versions[0]?.scaleErrors.map(({ path }) => path),
    ["spec.a"],
  );
  assert.deepEqual(judge(versionOf([]), versionOf(["a"]), { spec: { a: "1", replicas: 2 } }), undefined);
});

test("an API server that no longer ratchets refuses a label of what today's schema refuses too", () => {
  const limited = build({ v1: { spec: { a: { ...TEXT, maxLength: 1 } } } });
  const object = { spec: { a: "AB" } };
  assert.deepEqual(formatErrors(judge(limited, limited, object, { source: 30, target: 29 })), ["rejected spec.a"]);
  assert.equal(judge(limited, limited, object, { source: 29, target: 30 }), undefined);
});

test("a write through another version sets that one's defaults, so that the value around them has changed", () => {
  const rule = { "x-kubernetes-validations": [{ rule: "self.a == 'A'" }] };
  const served = (o: JsonObject): Version => ({
    spec: { o: { type: "object", properties: { a: TEXT, ...o }, ...rule } },
  });
  const stored = { spec: { o: { type: "object", properties: { a: TEXT, b: TEXT } } } };
  const refusesLabel = (version: Version): boolean => {
    const server = buildServer(build({ v1: stored, v1beta1: version }), 33, true);
    return playWrites({ spec: { o: { a: "B" } } }, server, "v1beta1", "v1").written.length > 0;
  };
  assert.equal(refusesLabel(served({ b: TEXT })), false);
  assert.equal(refusesLabel(served({ b: { ...TEXT, default: "x" } })), true);
});

test("a copy is what its version shows today, whatever the target reads of the object", () => {
  const properties = {
    spec: { type: "object", required: ["a"], properties: { a: TEXT, b: { ...TEXT, default: "x" } } },
  };
  const required = { spec: {}, more: { properties } };
  const wide = { spec: { a: TEXT } };
  const verdict = judge(build({ v1: wide, v1beta1: required }), build({ v1: { spec: {} }, v1beta1: required }), {
    spec: { a: "1" },
  });
  assert.deepEqual(formatErrors(verdict), ["v1beta1 rejected spec.a"]);
  const typed = build({ v1: wide, v1beta1: { spec: { a: { type: "integer" } } } });
  assert.deepEqual(formatErrors(judge(build({ v1: wide, v1beta1: { spec: {} } }), typed, { spec: { a: "1" } })), []);
});

test("a verdict that depends on the version in which an object is stored says so", () => {
  const wide = { spec: { a: TEXT, b: TEXT } };
  const installed = build({ v1: wide, "v1beta1-": wide }, ["v1beta1", "v1"]);
  const target = build({ v1: wide, "v1beta1-": { spec: { a: TEXT } } });
  assert.equal(judge(installed, target, { spec: { a: "1", b: "1" } })?.mayBeStoredIn, "v1beta1");
  assert.equal(judge(installed, target, { spec: { a: "1" } }), undefined);
  const narrow = build({ v1: wide, "v1beta1-": { spec: { a: TEXT } } }, ["v1beta1", "v1"]);
  assert.equal(judge(narrow, build({ v1: wide, "v1beta1-": { spec: {} } }), { spec: { b: "1" } }), undefined);
});

test("a write is refused if metadata can't be converted to the version that is stored, or from it", () => {
  const plain: Version = { spec: { o: OPEN } };
  const embedded: Version = { spec: { o: { ...OPEN, "x-kubernetes-embedded-resource": true } } };
  const object = (name: JsonObject | string): JsonObject => ({
    spec: { o: { apiVersion: "v1", kind: "Pod", metadata: { name } } },
  });
  const play = (stored: Version, version: Version, name: JsonObject | string) => {
    const server = buildServer(build({ v1: stored, v2: version }), 36, true);
    const { created, written } = playWrites(object(name), server, "v2", "v1");
    return [created, written].map((errors) => errors.map(({ path, isUnreadable }) => `${path} ${isUnreadable ?? ""}`));
  };
  assert.deepEqual(play(embedded, plain, "a"), [[], []]);
  assert.deepEqual(play(plain, embedded, "a"), [[], []]);
  assert.deepEqual(play(plain, embedded, {}), [[], ["spec.o.metadata.name true"]]);
  const moved = buildServer(build({ v3: embedded, v1: plain, v2: plain }), 36, true);
  const { created, written } = playWrites(object({}), moved, "v2", "v1");
  assert.deepEqual(
    [created, written].map((errors) => errors.map(({ path }) => path)),
    [["spec.o.metadata.name"], ["spec.o.metadata.name"]],
  );
});

test("a create passes of what lacks the default that refuses the object as it is stored", () => {
  const plain = { spec: {}, more: { properties: {} } };
  const withSpec = (spec: JsonObject): Version => ({
    spec: {},
    more: { properties: { spec: { type: "object", ...spec } } },
  });
  const target = build({
    v1: withSpec({ default: {} }),
    v2: withSpec({ required: ["a"], properties: { b: { ...TEXT, default: "x" } } }),
  });
  const verdict = judge(build({ v1: plain, v2: plain }), target, {});
  const errors = (verdict?.versions ?? []).flatMap((version) => version.errors);
  assert.deepEqual(
    errors.map(({ path, isHidden }) => [path, isHidden]),
    [["spec.a", true]],
  );
});

test("lists of a kind join to one verdict, which stays open if one of them is", () => {
  const installed = build({ v1: { spec: {} }, v1beta1: { spec: {} } });
  const object = { apiVersion: "example.com/v1", kind: "Widget", namespace: "shop", name: "a" };
  const verdict = { object, versions: [], defaultedFields: [], hasErrorsToday: false };
  const read = (key: string): readonly ObjectVerdict[] =>
    key.endsWith("/v1beta1") ? [{ ...verdict, mayBeStoredIn: "v1beta1" }] : key.includes("/") ? [] : [verdict];
  assert.deepEqual(collectVerdicts({ installed, target: installed }, read), [{ ...verdict, mayBeStoredIn: "v1beta1" }]);
  const field = { path: "spec.a", steps: ["spec", "a"], isLost: true, value: '"x"', isUnwritten: true };
  const open = [
    { ...field, isUnwritten: false },
    { ...field, path: "spec.b", isUnwritten: false },
  ];
  const readBoth = (key: string): readonly ObjectVerdict[] =>
    key.endsWith("/v1beta1")
      ? [{ ...verdict, defaultedFields: open }]
      : key.includes("/")
        ? []
        : [{ ...verdict, defaultedFields: [field] }];
  assert.deepEqual(collectVerdicts({ installed, target: installed }, readBoth)[0]?.defaultedFields, open);
});

test("a default is taken for stored by nobody only where the managed fields name fields", () => {
  const installed = build({ v1: { spec: { a: { ...TEXT, default: "x" }, b: TEXT } } });
  const target = build({ v1: { spec: { a: TEXT, b: TEXT } } });
  const time = "2026-01-05T10:00:00Z";
  const judgeWritten = (fieldsV1: JsonObject): readonly boolean[] | undefined => {
    const managedFields = [{ manager: "m", operation: "Update", apiVersion: "example.com/v1", time, fieldsV1 }];
    const metadata = { creationTimestamp: time, managedFields };
    return judge(installed, target, { metadata, spec: { a: "x" } })?.defaultedFields.map((field) => field.isUnwritten);
  };
  assert.deepEqual(judgeWritten({ "f:spec": { "f:b": {} } }), [true]);
  assert.deepEqual(judgeWritten({ "f:spec": { "f:a": {} } }), undefined);
  assert.deepEqual(judgeWritten({}), [false]);
});

test("scaling is told to fail only if it passes today", () => {
  const scale = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };
  const buildScaled = (required: readonly string[], note: JsonObject): Crd => {
    const spec = { type: "object", required, properties: { replicas: { type: "integer" }, a: TEXT, note } };
    const schema = { openAPIV3Schema: { type: "object", properties: { spec } } };
    return buildCrd([{ name: "v1", served: true, storage: true, schema, subresources: { scale } }], []);
  };
  const paths = (today: Crd): readonly string[] =>
    pathsOf("errors", judge(today, buildScaled(["a"], { ...TEXT, maxLength: 5 }), { metadata: {} }));
  assert.deepEqual(paths(buildScaled([], TEXT)), ["spec.a"]);
  assert.deepEqual(paths(buildScaled(["a"], TEXT)), []);
  const target = buildScaled(["a"], { ...TEXT, maxLength: 5 });
  assert.deepEqual(judge(buildScaled([], TEXT), target, { metadata: {}, spec: null })?.versions ?? [], []);
});
