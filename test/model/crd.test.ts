import assert from "node:assert/strict";
import { test } from "node:test";
import { buildDefinition, parseCrd } from "../../src/model/crd.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { LAST_APPLIED } from "../../src/model/object.ts";

const NAMES = { kind: "Widget", plural: "widgets" };
const SPEC = { group: "example.com", names: NAMES, versions: [{ name: "v1" }] };

function crd(spec: JsonObject, more: JsonObject = {}): JsonObject {
  const head = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" };
  return { ...head, metadata: { name: "widgets.example.com" }, spec, ...more };
}

const NO_VERSION = { name: "", served: false, storage: false, schema: "", subresources: [] };

test("a definition has defaults for what it does not say", () => {
  const object = crd({ ...SPEC, versions: [{}] });
  assert.deepEqual(parseCrd(object), {
    name: "widgets.example.com",
    group: "example.com",
    kind: "Widget",
    plural: "widgets",
    scope: "",
    listKind: "WidgetList",
    singular: "widget",
    versions: [NO_VERSION],
    conversion: { strategy: "None" },
    preserveUnknownFields: false,
    storedVersions: [],
    shell: object,
  });
});

test("only a definition of the present form with its names and versions is one", () => {
  const without = (key: string): JsonObject => Object.fromEntries(Object.entries(SPEC).filter(([one]) => one !== key));
  const others = [
    crd(SPEC, { apiVersion: "apiextensions.k8s.io/v1beta1" }),
    crd(SPEC, { kind: "CustomResource" }),
    crd(SPEC, { metadata: {} }),
    ...["group", "names", "versions"].map((key) => crd(without(key))),
    crd({ ...SPEC, names: { kind: "Widget" } }),
    crd({ ...SPEC, names: { plural: "widgets" } }),
    crd({ ...SPEC, versions: [] }),
  ];
  assert.deepEqual(
    others.map(parseCrd),
    others.map(() => undefined),
  );
  assert.equal(parseCrd(crd(SPEC))?.name, "widgets.example.com");
});

const SCHEMA = { type: "object", description: "A widget.", properties: { a: { type: "string" } } };
const SCALE = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };
const V1 = {
  name: "v1",
  served: true,
  storage: true,
  schema: { openAPIV3Schema: SCHEMA, other: 1 },
  subresources: { status: {}, scale: { ...SCALE, labelSelectorPath: ".status.selector" } },
};
const CONVERSION = {
  strategy: "Webhook",
  webhook: { clientConfig: { service: { namespace: "ns", name: "hook", path: "/a" } } },
};
const FULL = crd(
  {
    ...SPEC,
    names: { ...NAMES, listKind: "Widgets", singular: "wid" },
    scope: "Cluster",
    preserveUnknownFields: true,
    versions: [V1, { name: "v2", subresources: { scale: SCALE } }],
    conversion: CONVERSION,
  },
  {
    metadata: {
      name: "widgets.example.com",
      annotations: { a: "b", [LAST_APPLIED]: "{}" },
      managedFields: [{ manager: "a" }],
    },
    status: { storedVersions: ["v1"] },
  },
);

test("a definition is read with its schemas apart", () => {
  const { shell, ...read } = parseCrd(FULL) ?? {};
  const scale = { spec: ".spec.replicas", status: ".status.replicas" };
  assert.deepEqual(read, {
    name: "widgets.example.com",
    group: "example.com",
    kind: "Widget",
    plural: "widgets",
    scope: "Cluster",
    listKind: "Widgets",
    singular: "wid",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: '{"properties":{"a":{"type":"string"}},"type":"object"}',
        subresources: ["scale", "status"],
        scale: { ...scale, selector: ".status.selector" },
      },
      { ...NO_VERSION, name: "v2", subresources: ["scale"], scale },
    ],
    conversion: { strategy: "Webhook", service: { namespace: "ns", name: "hook" } },
    preserveUnknownFields: true,
    storedVersions: ["v1"],
  });
  const spec = {
    ...Object(FULL["spec"]),
    versions: [
      { ...V1, schema: { openAPIV3Schema: null, other: 1 } },
      { name: "v2", subresources: { scale: SCALE } },
    ],
  };
  assert.deepEqual(shell, { ...FULL, metadata: { name: "widgets.example.com", annotations: { a: "b" } }, spec });
});

test("a definition is built again, without descriptions", () => {
  const parsed = parseCrd(FULL);
  assert.ok(parsed);
  const schema = { openAPIV3Schema: { type: "object", properties: { a: { type: "string" } } }, other: 1 };
  const versions = [
    { ...V1, schema },
    { name: "v2", subresources: { scale: SCALE } },
  ];
  assert.deepEqual(buildDefinition(parsed), { ...parsed.shell, spec: { ...Object(FULL["spec"]), versions } });
});

test("a scale subresource and a service count only as a whole", () => {
  const scales: readonly JsonObject[] = [{ specReplicasPath: ".a" }, { statusReplicasPath: ".a" }, {}];
  const versions = scales.map((scale) => ({ subresources: { scale } }));
  const read = parseCrd(crd({ ...SPEC, versions }))?.versions;
  assert.deepEqual(
    read,
    scales.map(() => ({ ...NO_VERSION, subresources: ["scale"] })),
  );
  const services: readonly JsonObject[] = [{ namespace: "ns" }, { name: "hook" }, { namespace: "", name: "hook" }];
  const conversions = services.map((service) => ({ strategy: "Webhook", webhook: { clientConfig: { service } } }));
  assert.deepEqual(
    conversions.map((conversion) => parseCrd(crd({ ...SPEC, conversion }))?.conversion),
    conversions.map(() => ({ strategy: "Webhook" })),
  );
});
