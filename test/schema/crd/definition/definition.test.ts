import { strict as assert } from "node:assert";
import { test } from "node:test";
import { buildDefinition, parseCrd } from "../../../../src/model/crd.ts";
import { judgeDefinition } from "../../../../src/schema/crd/index.ts";
import type { Json, JsonObject } from "../../../../src/model/json.ts";

const VERSION: JsonObject = { name: "v1", served: true, storage: true };

function definitionOf(spec: JsonObject, more: JsonObject = {}): JsonObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "widgets", kind: "Widget" },
      versions: [{ ...VERSION, ...more }],
      ...spec,
    },
  };
}

function schemaOf(properties: Json, more: JsonObject = {}): JsonObject {
  return {
    schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties } }, ...more } },
  };
}

function withSchema(properties: Json, more?: JsonObject): JsonObject {
  return definitionOf({}, schemaOf(properties, more));
}

function established(definition: JsonObject, storedVersions: readonly string[] = ["v1"]): JsonObject {
  return { ...definition, status: { storedVersions, conditions: [{ type: "Established", status: "True" }] } };
}

const SPEC = "spec.versions[0].schema.openAPIV3Schema.properties[spec].properties";
const GOOD = withSchema({ size: { type: "integer", default: 1 }, name: { type: "string", pattern: "^a+$" } });

function rule(text: string, schema: JsonObject): JsonObject {
  return { a: { ...schema, "x-kubernetes-validations": [{ rule: text, message: "no" }] } };
}

/** Two versions with the same selectable field. */
function withSelectable(first: Json, second: Json): JsonObject {
  const versionOf = (name: string, a: Json): JsonObject => ({
    ...VERSION,
    name,
    storage: name === "v1",
    ...schemaOf({ a }),
    selectableFields: [{ jsonPath: ".spec.a" }],
  });
  return definitionOf({ versions: [versionOf("v1", first), versionOf("v2", second)] });
}

const REFUSED: [what: string, definition: JsonObject, path: string][] = [
  [
    "the same selectable fields in versions with other schemas",
    withSelectable({ type: "string" }, { type: "string", maxLength: 3 }),
    "spec.selectableFields",
  ],
  ["a property without a type", withSchema({ a: {} }), `${SPEC}[a].type`],
  ["a type that doesn't exist", withSchema({ a: { type: "text" } }), `${SPEC}[a].type`],
  ["a list without items", withSchema({ a: { type: "array" } }), `${SPEC}[a].items`],
  ["an invalid pattern", withSchema({ a: { type: "string", pattern: "(" } }), `${SPEC}[a].pattern`],
  ["a default of the wrong type", withSchema({ a: { type: "string", default: 1 } }), `${SPEC}[a].default`],
  ["a default with an unknown field", withSchema({ a: { type: "object", default: { b: 1 } } }), `${SPEC}[a].default`],
  [
    "a list of type map without keys",
    withSchema({ a: { type: "array", items: { type: "object" }, "x-kubernetes-list-type": "map" } }),
    `${SPEC}[a].x-kubernetes-list-map-keys`,
  ],
  [
    "a type below an alternative",
    withSchema({ a: { type: "string", anyOf: [{ type: "string" }] } }),
    `${SPEC}[a].anyOf[0].type`,
  ],
  ["a keyword of the wrong type", withSchema({ a: { type: "string", maxLength: "5" } }), `${SPEC}[a].maxLength`],
  [
    "a rule that does not parse",
    withSchema(rule("self ==", { type: "string" })),
    `${SPEC}[a].x-kubernetes-validations[0].rule`,
  ],
  [
    "a rule that does not type-check",
    withSchema(rule("self == 1", { type: "string" })),
    `${SPEC}[a].x-kubernetes-validations[0].rule`,
  ],
  [
    "a rule that doesn't return a boolean",
    withSchema(rule("self", { type: "string" })),
    `${SPEC}[a].x-kubernetes-validations[0].rule`,
  ],
  [
    "a rule that can cost too much",
    withSchema(rule("self.all(x, self.exists(y, x == y))", { type: "array", items: { type: "string" } })),
    `${SPEC}[a].x-kubernetes-validations[0].rule`,
  ],
  [
    "oldSelf in a list whose items can't be correlated",
    withSchema({
      l: {
        type: "array",
        maxItems: 5,
        items: { type: "object", properties: rule("self == oldSelf", { type: "integer" }) },
      },
    }),
    `${SPEC}[l].items.properties[a].x-kubernetes-validations[0].rule`,
  ],
  ["a default that breaks a rule", withSchema(rule("self > 1", { type: "integer", default: 1 })), `${SPEC}[a].default`],
  ["no schema", definitionOf({}), "spec.versions[0].schema.openAPIV3Schema"],
  ["no storage version", definitionOf({}, { ...schemaOf({}), storage: false }), "spec.versions"],
  ["a scope that doesn't exist", definitionOf({ scope: "World" }, schemaOf({})), "spec.scope"],
  [
    "a kind that ends with a dash",
    definitionOf({ names: { plural: "widgets", kind: "Widget-" } }, schemaOf({})),
    "spec.names.kind",
  ],
  [
    "an empty default at the root of a version with status",
    definitionOf({}, { ...schemaOf({}, { default: "", format: "int64" }), subresources: { status: {} } }),
    "spec.versions[0].schema.openAPIV3Schema.default",
  ],
  [
    "a default that does not fit the format of int-or-string",
    withSchema({ a: { "x-kubernetes-int-or-string": true, format: "int32", default: 3 } }),
    `${SPEC}[a].default`,
  ],
  [
    "a webhook without a client",
    definitionOf({ conversion: { strategy: "Webhook" } }, schemaOf({})),
    "spec.conversion.webhook.clientConfig",
  ],
];

for (const text of [
  "'%d'.format([self])",
  "'%f'.format([1])",
  "'%v'.format([self])",
  "'%s %s'.format([self])",
  "'%s'.format([self, 1])",
  "'%'.format([self])",
  "'%s'.format([optional.of(self)])",
  "'%s'.format([[1, {'a': optional.of(self)}]])",
  "['a', 1].map(x, '%s'.format([x]))[0]",
  "{0: self}[dyn(b'')]",
  "string(dyn({}))",
  "{dyn(b''): 'a'}['a']",
  "[?dyn(self)][0]",
  "[string].map(x, x == string)[0] ? self : self",
  "google.protobuf.StringValue{values: self}",
  "google.protobuf.StringValue{value: 1}",
  "string{}",
])
  REFUSED.push([
    `the rule ${text} == ''`,
    withSchema(rule(`${text} == ''`, { type: "string" })),
    `${SPEC}[a].x-kubernetes-validations[0].rule`,
  ]);

for (const text of [
  "'%s has %d'.format([self, 7])",
  "'%d'.format([dyn(self)])",
  "'%f'.format([self])",
  "('%' + 's').format([self, 1])",
  "'%s'.format([[1, 'a', {'b': 1, 'c': 'd'}]])",
])
  test(`accepts the rule ${text} == ''`, () => {
    const definition = withSchema(rule(`${text} == ''`, { type: "string" }));
    assert.deepEqual(judgeDefinition(definition), { refusals: [], undecided: [] });
  });

for (const [what, definition, path] of REFUSED) {
  test(`refuses ${what}`, () => {
    const { refusals, undecided } = judgeDefinition(definition);
    assert.deepEqual(
      refusals.map((refusal) => refusal.path).filter((one) => one === path),
      [path],
      JSON.stringify(refusals),
    );
    assert.deepEqual(undecided, []);
  });
}

test("gives the same verdict on a definition that was parsed without its descriptions", () => {
  const described = { description: "why", anyOf: [{ description: "one" }], type: "string" };
  for (const definition of [...REFUSED.map(([, one]) => one), GOOD, withSchema({ a: described })]) {
    const crd = parseCrd(definition);
    assert.ok(crd);
    assert.deepEqual(judgeDefinition(buildDefinition(crd)), judgeDefinition(definition));
  }
});

test("accepts a valid definition, as a new CRD and as an update", () => {
  assert.deepEqual(judgeDefinition(GOOD).refusals, []);
  assert.deepEqual(judgeDefinition(GOOD, established(GOOD)).refusals, []);
});

test("names the version of a refusal, or no version if the refusal is about the whole CRD", () => {
  const { refusals } = judgeDefinition(definitionOf({ scope: "World" }, schemaOf({ a: {} })));
  assert.deepEqual(
    refusals.map(({ version, path }) => [version, path]),
    [
      ["", "spec.scope"],
      ["v1", `${SPEC}[a].type`],
    ],
  );
});

test("refuses to change the immutable fields of an established CRD", () => {
  const changed = definitionOf({ scope: "Cluster", names: { plural: "widgets", kind: "Gadget" } }, schemaOf({}));
  const paths = judgeDefinition(changed, established(GOOD)).refusals.map(({ path }) => path);
  assert.deepEqual(paths, ["spec.scope", "spec.names.kind"]);
  const before = { ...GOOD, status: { storedVersions: ["v1"] } };
  assert.deepEqual(judgeDefinition(changed, before).refusals, []);
});

test("refuses to remove a version in which objects may be stored", () => {
  const { refusals } = judgeDefinition(GOOD, established(GOOD, ["v1alpha1", "v1"]));
  assert.deepEqual(
    refusals.map(({ path }) => path),
    ["status.storedVersions[0]"],
  );
});

test("tolerates errors of the installed CRD in an update if the API server does", () => {
  const nullable = withSchema({
    a: { type: "array", items: { type: "string", nullable: true }, "x-kubernetes-list-type": "set" },
  });
  assert.equal(judgeDefinition(nullable).refusals.length, 1);
  assert.equal(judgeDefinition(nullable, established(GOOD)).refusals.length, 1);
  assert.deepEqual(judgeDefinition(nullable, established(nullable)).refusals, []);
  const costly = withSchema(rule("self.all(x, x.matches('^[a-z]+$'))", { type: "array", items: { type: "string" } }));
  const other = withSchema(
    rule("self.all(x, x.matches('^[a-z]+$'))", { type: "array", items: { type: "string" }, title: "b" }),
  );
  assert.ok(judgeDefinition(costly).refusals.length > 0);
  assert.ok(judgeDefinition(other, established(costly)).refusals.length > 0);
});

test("judges the defaults of a type that doesn't exist if the installed CRD has such a type", () => {
  const installed = established(withSchema({ a: { type: "text" } }));
  for (const [more, paths] of [
    [{ format: "ipv4", default: 1 }, [`${SPEC}[a].default`]],
    [{ format: "ipv4", default: "int64" }, [`${SPEC}[a].default`]],
    [{ default: "a" }, [`${SPEC}[a].default`]],
    [{ default: "a", "x-kubernetes-int-or-string": true }, [`${SPEC}[a].default`]],
    [{ format: "ipv4", default: "192.0.2.1" }, []],
  ] as const) {
    const { refusals, undecided } = judgeDefinition(withSchema({ a: { type: "text", ...more } }), installed);
    assert.deepEqual([refusals.map(({ path }) => path), undecided], [paths, []], JSON.stringify(more));
  }
});

test("tolerates unknown fields in a default beside a type that doesn't exist if the installed CRD has both", () => {
  const faulty = withSchema({ a: { type: "object", default: { b: 1 } }, t: { type: "text", nullable: true } });
  assert.deepEqual(judgeDefinition(faulty, established(faulty)), { refusals: [], undecided: [] });
});

test("hides fields of a type that doesn't exist from rules", () => {
  const properties = { a: { type: "text" }, b: { type: "string" } };
  const installed = established(withSchema({ a: { type: "object", properties } }));
  const judge = (text: string, more: JsonObject): readonly string[] => {
    const definition = withSchema(rule(text, { type: "object", properties, ...more }));
    return judgeDefinition(definition, installed).refusals.map(({ path }) => path);
  };
  assert.deepEqual(judge("self.b == 'x'", { default: { b: "x" } }), []);
  assert.deepEqual(judge("self.b == 'y'", { default: { b: "x" } }), [`${SPEC}[a].default`]);
  assert.deepEqual(judge("self.a == 'x'", {}), [`${SPEC}[a].x-kubernetes-validations[0].rule`]);
});

test("hides what is below a value without a type from rules if a rule above applies to it", () => {
  const rules = { "x-kubernetes-validations": [{ rule: "self > 1", message: "no" }] };
  const a = { "x-kubernetes-preserve-unknown-fields": true, properties: { b: { type: "integer", ...rules } } };
  const above = { "x-kubernetes-validations": [{ rule: "has(self.kind)", message: "no" }] };
  assert.deepEqual(judgeDefinition(withSchema({ a })).refusals, []);
  assert.deepEqual(
    judgeDefinition(withSchema({ a }, above)).refusals.map(({ path }) => path),
    [`${SPEC}[a].properties[b].x-kubernetes-validations`],
  );
});

test("takes an empty list of items for no items, in metadata too", () => {
  const metadata = (more: JsonObject): JsonObject =>
    definitionOf(
      {},
      { schema: { openAPIV3Schema: { type: "object", properties: { metadata: { type: "object", ...more } } } } },
    );
  assert.deepEqual(judgeDefinition(metadata({ items: [] })).refusals, []);
  assert.equal(judgeDefinition(metadata({ items: { type: "string" } })).refusals.length, 1);
});

test("accepts a default of int-or-string whose rule asks for a field that it can't have", () => {
  const properties = rule("!has(self.b)", { "x-kubernetes-int-or-string": true, default: "x" });
  assert.deepEqual(judgeDefinition(withSchema(properties)).refusals, []);
});

test("reports what it can't decide", () => {
  const endless = `optional.of(self)${".optMap(x, x)".repeat(16)}.hasValue()`;
  const { refusals, undecided } = judgeDefinition(withSchema(rule(endless, { type: "integer" })));
  assert.deepEqual(refusals, []);
  assert.equal(undecided.length, 1);
});

test("a pattern that is too large to compile is undecided, and one that repeats more than Go allows is refused", () => {
  const judge = (pattern: string): readonly number[] => {
    const { refusals, undecided } = judgeDefinition(withSchema(rule(`self.matches('${pattern}')`, { type: "string" })));
    return [refusals.length, undecided.length];
  };
  assert.deepEqual(["a{500}", "a{1000}".repeat(11), "a{5000}"].map(judge), [
    [0, 0],
    [0, 1],
    [1, 0],
  ]);
});

test("refuses a default that has another type than the format of an alternative", () => {
  const definition = withSchema({ a: { type: "integer", default: 1, allOf: [{ format: "odd" }] } });
  const paths = judgeDefinition(definition).refusals.map(({ path }) => path);
  assert.deepEqual([...new Set(paths)], [`${SPEC}[a].default`]);
});
