import { strict as assert } from "node:assert";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Ajv } from "ajv";
import caseSchema from "../../schemas/preflight-case-v1.schema.json" with { type: "json" };
import { listServed } from "../../src/data-checks/kinds/built-in-kinds.ts";
import { formatResource } from "../../src/model/resource.ts";
import checkSchema from "../../schemas/preflight-check-v1alpha1.schema.json" with { type: "json" };
import { formatFault } from "../../src/data-checks/format/fault.ts";
import { loadChecks } from "../../src/data-checks/load.ts";
import { parseDocuments } from "../../src/encoding/yaml.ts";
import { type Json, isList, isObject, listAt, textAt } from "../../src/model/json.ts";

const ROOT = join(import.meta.dirname, "../..");
const isCheck = new Ajv({ strictRequired: false }).compile(checkSchema);
const isCase = new Ajv({ allowUnionTypes: true }).compile(caseSchema);

function find(...patterns: readonly string[]): readonly string[] {
  return patterns.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).toSorted();
}

function parse(file: string): Json {
  return parseText(readFileSync(join(ROOT, file), "utf8")) ?? null;
}

function parseText(text: string): Json | undefined {
  const parsed = parseDocuments(text);
  return parsed.kind === "documents" ? parsed.documents[0] : undefined;
}

test("every published schema is valid itself", () => {
  const schemas = find("schemas/*.json");
  assert.ok(schemas.length >= 10);
  const ajv = new Ajv({ strict: false });
  assert.deepEqual(
    schemas.filter((file) => ajv.validateSchema(JSON.parse(readFileSync(join(ROOT, file), "utf8"))) !== true),
    [],
  );
});

const checks = find("src/checks/*/check.yaml", "examples/checks/*/check.yaml");

test("the schema accepts every check of this tree", () => {
  assert.ok(checks.length >= 20);
  assert.deepEqual(
    checks.filter((file) => !isCheck(parse(file))),
    [],
  );
});

test("nothing is said of any check of this tree", async () => {
  const texts = checks.map((name) => ({ name, text: readFileSync(join(ROOT, name), "utf8") }));
  const { faults } = await loadChecks(texts, { kind: "embedded" }, new Set());
  assert.deepEqual(faults.map(formatFault), []);
});

test("the schema refuses the planted mistakes that need no expression to be judged", () => {
  const planted = parse("test/data-checks/mistakes.yaml");
  const sound = textAt(planted, "sound") ?? "";
  const refused = listAt(planted, "mistakes").filter((one) => {
    const text = sound.replace(textAt(one, "from") ?? "", () => textAt(one, "to") ?? "");
    const document = parseText(text);
    return document !== undefined && !isCheck(document);
  });
  assert.deepEqual(
    refused.map((one) => textAt(one, "what")),
    [
      "a name of the check in PascalCase",
      "a name of a risk with dashes",
      "a misspelt field",
      "a field of another level",
      "a field that is missing",
      "a kind as in rights",
      "a kind as in a manifest",
      "a minor of Kubernetes without its platform",
      "an effect that does not exist",
      "a link without https",
      "a fix of no known kind",
      "a misspelt kind of a fix",
      "a minor without quotes",
      "a key without a value",
      "a title that is too long",
      "a name that is too long",
      "too many indexes",
      "another release's manifests",
    ],
  );
});

test("every case fits the schema of cases", () => {
  const cases = find("src/checks/*/cases/*.yaml", "src/checks/*/cases/*/case.yaml", "examples/checks/*/cases/*.yaml");
  assert.ok(cases.length > 900);
  const refused = cases.flatMap((file) =>
    isCase(parse(file)) ? [] : [`${file}: ${JSON.stringify(isCase.errors?.[0])}`],
  );
  assert.deepEqual(refused, []);
});

const CASE = "source: 4.20.3\ntarget: 4.21.0\ncluster:\n  /api/v1/nodes: []\nexpect: {outcome: clear}\n";

const MISTAKES: readonly (readonly [what: string, from: string, to: string])[] = [
  ["a misspelt key", "cluster:", "clusters:"],
  ["a target that is a list", "target: 4.21.0", "target: [4.21.0]"],
  ["a base that is a path", "source: 4.20.3", "source: 4.20.3\nbase: ../base.yaml"],
  ["a minor without quotes as the source", "source: 4.20.3", "source: 4.20"],
  ["a kind as in rights, where a path belongs", "/api/v1/nodes", "nodes"],
  ["an outcome that does not exist", "outcome: clear", "outcome: fine"],
];

for (const [what, from, to] of MISTAKES)
  test(`the schema of cases refuses ${what}`, () => {
    assert.ok(isCase(parseText(CASE)));
    assert.equal(isCase(parseText(CASE.replace(from, to))), false);
  });

test("every field of both schemas has a description", () => {
  assert.deepEqual([...listUndescribed(checkSchema, "check"), ...listUndescribed(caseSchema, "case")], []);
});

function listUndescribed(schema: unknown, path: string): readonly string[] {
  if (isList(schema)) return schema.flatMap((one, i) => listUndescribed(one, `${path}[${i}]`));
  if (!isObject(schema)) return [];
  const properties = schema["properties"];
  const fields = isObject(properties) ? Object.entries(properties) : [];
  const own = fields.filter(([, field]) => textAt(field, "description") === undefined && !isDescribed(field));
  const inner = Object.entries(schema).flatMap(([name, one]) => listUndescribed(one, `${path}.${name}`));
  return [...own.map(([name]) => `${path}.${name}`), ...inner];
}

/** By the definition that it refers to. */
function isDescribed(field: Json): boolean {
  const name = textAt(field, "$ref")?.split("/").at(-1) ?? "";
  return textAt(checkSchema, "definitions", name, "description") !== undefined;
}

test("the schemas stand where the recipes look for them", () => {
  for (const file of find("examples/checks/*/check.yaml")) {
    const [, path = ""] = /\$schema=(\S+)/.exec(readFileSync(join(ROOT, file), "utf8")) ?? [];
    assert.ok(existsSync(join(ROOT, file, "..", path)), `${file}: ${path}`);
  }
});

test("editors propose the kinds of Kubernetes that a check may read", () => {
  const stable = listServed()
    .filter(({ version, resource }) => /^v\d+$/.test(version) && resource !== "secrets")
    .map(formatResource);
  assert.deepEqual(checkSchema.definitions.resource.examples, stable.toSorted());
});
