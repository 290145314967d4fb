import { strict as assert } from "node:assert";
import { after, before, describe, test } from "node:test";
import { BUILT_IN_KINDS } from "../../../src/data-checks/kinds/built-in-kinds.ts";
import { type Json, type JsonObject, at, objectAt, textAt, textsAt } from "../../../src/model/json.ts";
import { formatResource, parseResource } from "../../../src/model/resource.ts";
import type { Type } from "../../../src/schema/cel/index.ts";
import { type ControlPlane, noControlPlane, startKubernetes } from "../../../verify/api-server/control-plane.ts";
import { readObject } from "../../../verify/api-server/objects.ts";
import { eventually } from "../../../verify/shared/eventually.ts";

/** A kind that is served: its scope, and what its objects hold, to the last field. */
type Described = { readonly scope: string; readonly fields: unknown };

const LIST = /^\/(?:api|apis\/([^/]+))\/([^/]+)\/(namespaces\/\{namespace\}\/)?([^/{}]+)$/;
const SCHEMAS = "#/components/schemas/";

/** The kinds of one OpenAPI document, by resource. */
function describeServed(document: JsonObject): readonly (readonly [resource: string, served: Described])[] {
  const schemas = objectAt(document, "components", "schemas");
  const found = Object.entries(objectAt(document, "paths")).flatMap(([path, operations]) => {
    const [, group = "", version = "", namespace, resource = ""] = LIST.exec(path) ?? [];
    if (textAt(operations, "get", "x-kubernetes-action") !== "list") return [];
    const content = objectAt(operations, "get", "responses", "200", "content", "application/json", "schema");
    const list = objectAt(schemas, textAt(content, "$ref")?.replace(SCHEMAS, "") ?? "");
    const fields = describeSchema(objectAt(list, "properties", "items", "items"), schemas, []);
    const scope = namespace === undefined ? "Cluster" : "Namespaced";
    return [[formatResource({ group, version, resource }), { scope, fields }] as const];
  });
  // A kind with namespaces is also listed across all of them.
  return [
    ...found.filter(([, { scope }]) => scope === "Cluster"),
    ...found.filter(([, { scope }]) => scope !== "Cluster"),
  ];
}

function describeSchema(schema: Json | undefined, schemas: JsonObject, within: readonly string[]): unknown {
  const [only] = Array.isArray(at(schema, "allOf")) ? [at(schema, "allOf", 0)] : [];
  if (only !== undefined) return describeSchema(only, schemas, within);
  const name = textAt(schema, "$ref")?.replace(SCHEMAS, "");
  if (name !== undefined && within.includes(name)) return "itself";
  if (name !== undefined) return describeSchema(schemas[name], schemas, [...within, name]);
  // A quantity, which is served as a text whatever was sent, and a number or a text.
  if (at(schema, "oneOf", 0) !== undefined) return textAt(schema, "oneOf", 0, "type") === "string" ? "string" : "any";
  if (textAt(schema, "type") === "array") return [describeSchema(at(schema, "items"), schemas, within)];
  const values = at(schema, "additionalProperties");
  if (values !== undefined) return { "[]": describeSchema(values, schemas, within) };
  const properties = Object.entries(objectAt(schema, "properties"));
  if (properties.length === 0) return textAt(schema, "type")?.replace(/object|number/, "any") ?? "any";
  const required = textsAt(schema, "required");
  return Object.fromEntries(
    properties
      .map(
        ([field, inner]) =>
          [`${field}${required.includes(field) ? "!" : ""}`, describeSchema(inner, schemas, within)] as const,
      )
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

const PLAIN: Readonly<Record<string, string>> = { bool: "boolean", dyn: "any", int: "integer" };

function describeType(type: Type, within: readonly Type[] = []): unknown {
  if (within.includes(type)) return "itself";
  const inner = [...within, type];
  if (type.kind === "list") return type.parameters.map((item) => describeType(item, inner));
  if (type.kind === "map") return { "[]": describeType(type.parameters[1] ?? type, inner) };
  if (type.fields === undefined) return PLAIN[type.kind] ?? type.kind;
  return Object.fromEntries(
    [...type.fields]
      .map(
        ([field, value]) =>
          [`${field}${type.required?.has(field) === true ? "!" : ""}`, describeType(value.type, inner)] as const,
      )
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

describe("the kinds that a kube-apiserver serves", { skip: noControlPlane }, () => {
  let cluster: ControlPlane | undefined;
  before(async () => {
    cluster = await startKubernetes();
  });
  after(() => cluster?.down());

  test("are known with all of their fields, the types of these, and what is required", async () => {
    const server = cluster ?? assert.fail("the control plane did not start");
    const read = (path: string): Promise<JsonObject> => readObject(server, path);
    const readServed = async (): Promise<ReadonlyMap<string, Described>> => {
      const paths = Object.keys(objectAt(await read("/openapi/v3"), "paths"));
      const names = paths.filter((path) => /^apis?\/.*v\d/.test(path));
      const documents = await Promise.all(names.map((name) => read(`/openapi/v3/${name}`)));
      return new Map(documents.flatMap(describeServed));
    };
    // The documents of what an earlier test installed go a moment later than its kinds.
    let served: ReadonlyMap<string, Described> = new Map();
    await eventually(async () => {
      served = await readServed();
      assert.ok(![...served.keys()].some((resource) => resource.includes("example.")));
    });
    assert.ok(served.size > 50, `${served.size} kinds`);
    for (const [resource, kind] of served) {
      const known = BUILT_IN_KINDS.find(parseResource(resource));
      assert.deepEqual(known && { scope: known.scope, fields: describeType(known.type) }, kind, resource);
    }
  });
});

test("a type that holds itself ends", () => {
  const definition = BUILT_IN_KINDS.find(parseResource("apiextensions.k8s.io/v1/customresourcedefinitions"));
  assert.match(JSON.stringify(definition && describeType(definition.type)), /"itself"/);
});
