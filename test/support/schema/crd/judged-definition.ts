import { strict as assert } from "node:assert";
import { applyMergePatch } from "../../../../src/cases/patch.ts";
import { type Verdict, judgeDefinition } from "../../../../src/schema/crd/index.ts";
import { parseDocuments } from "../../../../src/encoding/yaml.ts";
import { type Json, type JsonObject, isObject } from "../../../../src/model/json.ts";

const BASE: JsonObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "widgets", kind: "Widget" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
};
const VERSION = "spec.versions[0]";
const SCHEMA = `${VERSION}.schema.openAPIV3Schema`;
const ESTABLISHED: JsonObject = {
  status: { storedVersions: ["v1"], conditions: [{ type: "Established", status: "True" }] },
};

/** "1.30: TEXT" is for an API server of that minor, all other text for the newest one. */
export function splitMinor(text: string): readonly [minor: number | undefined, rest: string] {
  const [, minor, rest] = /^1\.(\d+): (.*)$/.exec(text) ?? [];
  return minor === undefined || rest === undefined ? [undefined, text] : [Number(minor), rest];
}

export function parseInput(text: string): JsonObject {
  const parsed = parseDocuments(text);
  if (parsed.kind !== "documents") return assert.fail(`${text}: ${JSON.stringify(parsed)}`);
  const [document] = parsed.documents;
  return isObject(document) ? document : assert.fail(`${text} is no object`);
}

function patch(object: JsonObject, change: JsonObject): JsonObject {
  const patched = applyMergePatch(object, change);
  return isObject(patched) ? patched : assert.fail("it is no object");
}

function withVersion(change: JsonObject): JsonObject {
  const version = { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } };
  return patch(BASE, { spec: { versions: [patch(version, change)] } });
}

function withSchema(schema: Json): JsonObject {
  return patch(BASE, {
    spec: { versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }] },
  });
}

function say({ refusals, undecided }: Verdict, prefix: string): string {
  const refused = refusals.map(({ version, path, reason }) => `${version}${shorten(path, prefix)} ${reason}`);
  const left = undecided.map(({ version, path, reason }) => `undecided ${version}${shorten(path, prefix)} ${reason}`);
  return [...refused, ...left].join("; ") || "accepted";
}

function shorten(path: string, prefix: string): string {
  return path.startsWith(prefix) ? `:${path.slice(prefix.length)}` : ` ${path}`;
}

/** Judges a schema in YAML, which is that of the field `a` of the object. */
export function judgeField(text: string): string {
  const [minor, schema] = splitMinor(text);
  const definition = withSchema({ type: "object", properties: { a: parseInput(schema) } });
  return say(judgeDefinition(definition, undefined, minor), `${SCHEMA}.properties[a]`);
}

/** Judges a schema in YAML, which is that of the whole object. */
export function judgeRoot(text: string): string {
  const [minor, schema] = splitMinor(text);
  return say(judgeDefinition(withSchema(parseInput(schema)), undefined, minor), SCHEMA);
}

/** Judges a change of a version, a merge patch in YAML. */
export function judgeVersion(text: string): string {
  const [minor, change] = splitMinor(text);
  return say(judgeDefinition(withVersion(parseInput(change)), undefined, minor), VERSION);
}

/** Judges a change of a whole definition, a merge patch in YAML. */
export function judgeChange(text: string): string {
  const [minor, change] = splitMinor(text);
  return say(judgeDefinition(patch(BASE, parseInput(change)), undefined, minor), VERSION);
}

/** Judges an update: "CHANGE -> CHANGE" are those of the installed definition, which is established, and of the new one. */
export function judgeUpdate(text: string): string {
  const [minor, changes] = splitMinor(text);
  const [installed = "", updated = ""] = changes.split(" -> ");
  const before = patch(patch(BASE, ESTABLISHED), parseInput(installed));
  return say(judgeDefinition(patch(BASE, parseInput(updated)), before, minor), VERSION);
}

/** Judges an update of the schema of the field `a`: "SCHEMA -> SCHEMA". */
export function judgeFieldUpdate(text: string): string {
  const [minor, changes] = splitMinor(text);
  const [before, after] = changes
    .split(" -> ")
    .map((schema) => withSchema({ type: "object", properties: { a: parseInput(schema) } }));
  const verdict = judgeDefinition(after ?? BASE, patch(before ?? BASE, ESTABLISHED), minor);
  return say(verdict, `${SCHEMA}.properties[a]`);
}
