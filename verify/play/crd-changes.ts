import type { Json, JsonObject } from "../../src/model/json.ts";

export const GROUP = "apply.example.com";
const TEXT: JsonObject = { type: "string" };
const NUMBER: JsonObject = { type: "integer" };
const TEXTS: JsonObject = { type: "array", items: TEXT };
const OPEN: JsonObject = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const ITEMS: JsonObject = { type: "array", items: { type: "object", required: ["k"], properties: { k: TEXT } } };
const ITEMS_TODAY: JsonObject = { type: "array", items: { type: "object", properties: { k: TEXT } } };
const BY_KEY = { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"] };
const ITEM: JsonObject = { type: "object", properties: { k: TEXT }, "x-kubernetes-map-type": "atomic" };
const LISTS: JsonObject = { type: "array", items: { ...TEXTS, "x-kubernetes-list-type": "atomic" } };
const SET = { "x-kubernetes-list-type": "set" };
const EITHER: JsonObject = { "x-kubernetes-int-or-string": true };
const RESOURCE: JsonObject = { ...OPEN, "x-kubernetes-embedded-resource": true };
const FINAL: JsonObject = { ...TEXT, "x-kubernetes-validations": [{ rule: "oldSelf != 'B'" }] };
const embed = (metadata: Json): JsonObject => ({ apiVersion: "v1", kind: "Pod", metadata });
const RULE: JsonObject = { "x-kubernetes-validations": [{ rule: "self == 'A'" }] };

/** What preflight predicts of the objects, or of the CRD. */
export type Effect =
  | "none"
  | "ratcheted"
  | "duplicate"
  | "applyRefused"
  | "rejected"
  | "malformed"
  | "unmergeable"
  | "unreadable"
  | "transition"
  | "pruned"
  | "managedFields"
  | "unserved"
  | "refused"
  | "fixedScope"
  | "storedVersion";

/** Which writes pass. `apply` applies the value that the object has, `applyOther` another field only. */
type Passing = {
  readonly create: boolean;
  readonly replace: boolean;
  readonly patch: boolean;
  readonly apply: boolean;
  readonly applyOther: boolean;
};

const ALL: Passing = { create: true, replace: true, patch: true, apply: true, applyOther: true };
const NONE: Passing = { create: false, replace: false, patch: false, apply: false, applyOther: false };

/** What preflight reports, and what the API server must do with the CRD and with writes of its objects. */
type Prediction = {
  readonly risks: readonly string[];
  /** In JSON. */
  readonly effects: readonly (string | undefined)[];
  readonly isRefused?: true;
  readonly passing: Passing;
};

export const PREDICTIONS: Readonly<Record<Effect, Prediction>> = {
  none: { risks: [], effects: [], passing: ALL },
  ratcheted: { risks: ["CustomResourceFieldsFrozen"], effects: ["ratcheted"], passing: { ...ALL, create: false } },
  duplicate: {
    risks: ["CustomResourceFieldsFrozen"],
    effects: ["ratcheted"],
    passing: { ...ALL, create: false, apply: false },
  },
  applyRefused: {
    risks: ["CustomResourceFieldsFrozen"],
    effects: ["applyRefused"],
    passing: { ...NONE, replace: true, patch: true },
  },
  malformed: {
    risks: ["CustomResourceFieldsDropped"],
    effects: [undefined],
    passing: { ...ALL, create: false, apply: false },
  },
  unmergeable: {
    risks: ["CustomResourceFieldsFrozen"],
    effects: ["applyRefused"],
    passing: { ...ALL, apply: false, applyOther: false },
  },
  unreadable: { risks: ["CustomResourceInvalid"], effects: ["unreadable"], passing: NONE },
  transition: { risks: ["CustomResourceInvalid"], effects: ["rejected"], passing: { ...NONE, create: true } },
  rejected: { risks: ["CustomResourceInvalid"], effects: ["rejected"], passing: NONE },
  pruned: { risks: ["CustomResourceFieldsDropped"], effects: [undefined], passing: { ...ALL, apply: false } },
  managedFields: {
    risks: ["CrdServedVersionRemoved"],
    effects: ["applyRefused"],
    passing: { ...ALL, apply: false, applyOther: false },
  },
  unserved: { risks: ["CrdServedVersionRemoved"], effects: [undefined], passing: ALL },
  refused: { risks: ["CrdRefused"], effects: [undefined], isRefused: true, passing: ALL },
  fixedScope: { risks: ["CrdScopeOrKindChanged"], effects: [undefined], isRefused: true, passing: ALL },
  storedVersion: {
    risks: ["CrdStoredVersionRemoved"],
    effects: [undefined],
    isRefused: true,
    passing: ALL,
  },
};

/** A change of a CRD: of spec.field, of the versions or of the scope. */
export type CrdChange = {
  readonly name: string;
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly value: Json;
  readonly effect: Effect;
  /** The version in which the stored objects are written. */
  readonly written: string;
};

/** A change of the schema of spec.field. */
function ofField(
  name: string,
  effect: Effect,
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  value: Json,
): CrdChange {
  const old = buildCrd(name, [buildVersion("v1", before)]);
  const next = buildCrd(name, [buildVersion("v1", after)]);
  return { name, effect, value, before: old, after: next, written: "v1" };
}

/** A change of the versions. Objects are written in v1beta1. */
function ofVersions(
  name: string,
  effect: Effect,
  before: readonly JsonObject[],
  after: readonly JsonObject[],
): CrdChange {
  const old = buildCrd(name, before);
  const next = buildCrd(name, after);
  return { name, effect, value: "B", before: old, after: next, written: "v1beta1" };
}

function buildVersion(name: string, field: JsonObject | undefined, flags: JsonObject = {}): JsonObject {
  const properties = { ...(field === undefined ? {} : { field }), other: TEXT };
  const spec = { type: "object", properties };
  const schema = { openAPIV3Schema: { type: "object", properties: { spec } } };
  return { name, served: true, storage: true, schema, ...flags };
}

function buildCrd(name: string, versions: readonly JsonObject[], scope = "Namespaced"): JsonObject {
  const kind = buildKind(name);
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${name}s.${GROUP}` },
    spec: {
      group: GROUP,
      scope,
      names: { kind, plural: `${name}s`, singular: name, listKind: `${kind}List` },
      versions,
    },
  };
}

export function buildKind(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

const STORED = {};
const SERVED = { storage: false };
const OFF = { storage: false, served: false };
const v1 = (flags: JsonObject): JsonObject => buildVersion("v1", TEXT, flags);
const v1beta1 = (flags: JsonObject): JsonObject => buildVersion("v1beta1", TEXT, flags);

function ofScope(name: string): CrdChange {
  return { ...ofField(name, "fixedScope", TEXT, TEXT, "B"), after: buildCrd(name, [v1(STORED)], "Cluster") };
}

/** As an administrator moves the storage version before the update that removes the other. */
export function buildMovedStorage(name: string): JsonObject {
  return buildCrd(name, [v1(STORED), v1beta1(SERVED)]);
}

export const CHANGES: readonly CrdChange[] = [
  ofField("same", "none", TEXT, { ...TEXT, maxLength: 9 }, "B"),
  ofField("enumed", "ratcheted", TEXT, { ...TEXT, enum: ["A"] }, "B"),
  ofField("length", "ratcheted", TEXT, { ...TEXT, minLength: 2 }, "B"),
  ofField("pattern", "ratcheted", TEXT, { ...TEXT, pattern: "^A$" }, "B"),
  ofField("rule", "ratcheted", TEXT, { ...TEXT, ...RULE }, "B"),
  ofField("missing", "rejected", OPEN, { ...OPEN, required: ["a"] }, { b: 1 }),
  ofField("keyless", "applyRefused", OPEN, { ...ITEMS, ...BY_KEY }, {}),
  ofField("doubled", "duplicate", ITEMS, { ...ITEMS, ...BY_KEY }, [{ k: "a" }, { k: "a" }]),
  ofField("repeated", "duplicate", TEXTS, { ...TEXTS, "x-kubernetes-list-type": "set" }, ["a", "a"]),
  ofField("typed", "applyRefused", TEXT, NUMBER, "B"),
  ofField("untyped", "applyRefused", TEXT, OPEN, "B"),
  ofField("item", "applyRefused", TEXTS, { type: "array", items: NUMBER }, ["B"]),
  ofField("grouped", "unmergeable", { type: "array", items: ITEM }, { type: "array", items: ITEM, ...SET }, [
    { k: "a" },
  ]),
  ofField("nested", "unmergeable", LISTS, { ...LISTS, ...SET }, [["a"]]),
  ofField("listed", "unmergeable", TEXTS, { ...TEXT, format: "date" }, ["a"]),
  ofField("numbered", "unmergeable", NUMBER, { ...EITHER, ...TEXT }, 1),
  ofField("formatted", "ratcheted", NUMBER, { ...TEXT, format: "date" }, 1),
  ofField("nulled", "applyRefused", { type: "array", items: { ...TEXT, nullable: true } }, { ...TEXTS, ...SET }, [
    null,
  ]),
  ofField(
    "inner",
    "applyRefused",
    { type: "array", items: ITEMS_TODAY },
    { type: "array", items: { ...ITEMS, ...BY_KEY } },
    [[{}]],
  ),
  ofField("final", "transition", TEXT, FINAL, "B"),
  ofField("labelled", "malformed", OPEN, RESOURCE, embed({ labels: { a: 1 } })),
  ofField("owned", "malformed", OPEN, RESOURCE, embed({ name: 1, ownerReferences: [1] })),
  ofField("created", "malformed", OPEN, RESOURCE, embed({ creationTimestamp: "x" })),
  ofField("known", "pruned", OPEN, RESOURCE, embed({ owner: "a" })),
  ofField("text", "unreadable", OPEN, RESOURCE, embed("x")),
  ofField("named", "rejected", OPEN, RESOURCE, embed({ name: "a/b" })),
  ofField("managed", "unmergeable", OPEN, RESOURCE, embed({ managedFields: [{ operation: "Apply", fieldsV1: "x" }] })),
  ofField("rounded", "ratcheted", { type: "number" }, NUMBER, 1.5),
  ofField("either", "ratcheted", { type: "boolean" }, { "x-kubernetes-int-or-string": true }, true),
  ofField("default", "none", { ...TEXT, default: "A" }, { ...TEXT, default: "C" }, "B"),
  ofField("dropped", "pruned", TEXT, undefined, "B"),
  ofField("faulty", "refused", TEXT, { ...TEXT, pattern: "(" }, "B"),
  ofScope("scoped"),
  ofVersions("removed", "managedFields", [v1(STORED), v1beta1(SERVED)], [v1(STORED)]),
  ofVersions("unserved", "unserved", [v1(STORED), v1beta1(SERVED)], [v1(STORED), v1beta1(OFF)]),
  ofVersions("moved", "none", [v1(SERVED), v1beta1(STORED)], [v1(STORED), v1beta1(SERVED)]),
  ofVersions("stored", "storedVersion", [v1(SERVED), v1beta1(STORED)], [v1(STORED)]),
];
