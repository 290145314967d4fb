import { strict as assert } from "node:assert";
import { test } from "node:test";
import { type UsedFields, dropNulls, keepUsedFields, mergeUsedPlaces } from "../../src/data-checks/compile/fields.ts";
import { listUsedPlaces } from "../../src/data-checks/compile/origins.ts";
import { CHECK_FUNCTIONS, CHECK_MACROS } from "../../src/data-checks/functions/table.ts";
import type { Json } from "../../src/model/json.ts";
import {
  DYN,
  type CompiledExpression,
  type Declarations,
  compileObjectExpression,
  evaluateExpression,
  jsonToValue,
} from "../../src/schema/cel/index.ts";
import { generateObject, writeExpression } from "../support/schema/cel/object-expressions.ts";
import { buildValueTest } from "../support/schema/cel/value-test.ts";
import { createRandom } from "../../verify/schema/random/random.ts";

const DECLARED: Declarations = { variables: [["object", DYN]], functions: CHECK_FUNCTIONS, macros: CHECK_MACROS };

function compile(text: string): CompiledExpression | undefined {
  const compiled = compileObjectExpression(text, DECLARED);
  return compiled.kind === "fault" ? undefined : compiled;
}

function findFields(compiled: CompiledExpression): UsedFields {
  return mergeUsedPlaces(listUsedPlaces(compiled.syntax, ["object"]), "object");
}

/** "a.b" is whole, "a.b?" need only be there. */
function listPaths({ isWhole, members }: UsedFields, path = ""): readonly string[] {
  if (isWhole) return [path === "" ? "whole" : path];
  if (members.size === 0) return path === "" ? [] : [`${path}?`];
  return [...members].flatMap(([name, inner]) => listPaths(inner, path === "" ? name : `${path}.${name}`)).toSorted();
}

const FIELDS: readonly (readonly [text: string, ...paths: readonly string[]])[] = [
  ["1 + 1"],
  ["object", "whole"],
  ["object.spec.a == 1", "spec.a"],
  ["has(object.spec.a)", "spec.a?"],
  ["object.?spec.?a.orValue(0) > 1", "spec.a"],
  ["object.metadata.labels['app']", "metadata.labels.app"],
  ["object.metadata.labels[object.spec.key]", "metadata.labels.[]", "metadata.labels.{}", "spec.key"],
  ["object.spec.list[0].name", "spec.list.[].name"],
  ["object.spec.list.exists(x, x.name == 'a' && has(x.size))", "spec.list.[].name", "spec.list.[].size?"],
  ["object.spec.list.exists(x, true)", "spec.list.[]?"],
  ["object.spec.list.filter(x, x.ok).map(x, x.name)", "spec.list.[].name", "spec.list.[].ok"],
  ["object.spec.list.map(x, x.a).filter(y, y.b == 1).size()", "spec.list.[].a.b"],
  ["object.spec.list.all(x, x.ports.all(y, y.port > 80))", "spec.list.[].ports.[].port"],
  ["object.spec.list.sortBy(x, x.age).first().?name", "spec.list.[].age", "spec.list.[].name"],
  ["object.spec.map.transformMap(k, v, v.a).b", "spec.map.[].a", "spec.map.{}"],
  ["object.spec.?a.optMap(x, x.b).orValue(object.spec.c)", "spec.a.b", "spec.c"],
  ["condition(object, 'Available').?status.orValue('')", "status.conditions.[].status", "status.conditions.[].type"],
  [
    "podSpec(object).?hostNetwork.orValue(false)",
    "spec.hostNetwork",
    "spec.template.spec.hostNetwork",
    "spec.jobTemplate.spec.template.spec.hostNetwork",
  ],
  [
    "images(object).exists(image, image.startsWith('quay.io/'))",
    "spec.containers.[].image",
    "spec.initContainers.[].image",
    "spec.template.spec.containers.[].image",
    "spec.template.spec.initContainers.[].image",
    "spec.jobTemplate.spec.template.spec.containers.[].image",
    "spec.jobTemplate.spec.template.spec.initContainers.[].image",
  ],
  ["ref(object) + object.spec.a", "spec.a"],
  ["(object.spec.on ? object.spec.a : object.spec.b).c", "spec.a.c", "spec.b.c", "spec.on"],
  ["{'x': object.spec.a, 'y': object.spec.b}.x.c", "spec.a.c", "spec.b?"],
  ["[object.spec.a, object.spec.b].exists(x, x.c)", "spec.a.c", "spec.b.c"],
  ["object.?spec.?a.or(optional.of(object.spec.b)).orValue(1)", "spec.a", "spec.b"],
  ["object.?spec.?a.hasValue()", "spec.a?"],
  ["object.?spec.?a.value() == 1", "spec.a"],
  ["'a' in object.metadata.labels", "metadata.labels.[]"],
  ["object.spec.a in object.spec.list", "spec.a", "spec.list.[]"],
  ["object.spec.list.size() > 1", "spec.list"],
  ["object.spec.list.exists_one(x, x.a == object.spec.b)", "spec.b", "spec.list.[].a"],
  ["object.spec.map.exists(k, k == 'a')", "spec.map.[]"],
  ["object.spec.list.map(x, {'n': x.a})[0].n", "spec.list.[].a"],
  ["leaves(object.spec).size()", "spec"],
];

for (const [text, ...paths] of FIELDS) {
  test(`finds the fields of ${text}`, () => {
    const compiled = compile(text);
    assert.deepEqual(compiled && listPaths(findFields(compiled)), paths.toSorted());
  });
}

test("keeps what is used, the length of lists, and whole maps whose keys are visited", () => {
  const compiled =
    compile("object.l.exists(x, x.a == 1) || object.m.all(k, k != 'z') || has(object.h)") ?? assert.fail();
  const object: Json = { l: [{ a: 1, b: 2 }, { b: 3 }, 4], m: { x: { y: 1 } }, h: { i: 1 }, o: 1 };
  const kept = { l: [{ a: 1 }, {}, 4], m: { x: { y: 1 } }, h: {} };
  assert.deepEqual(keepUsedFields(object, findFields(compiled)), kept);
});

// PREFLIGHT_FIELD_PAIRS=100000 PREFLIGHT_SEED=7 node --test test/data-checks/fields.test.ts
const SEED = Number(process.env["PREFLIGHT_SEED"] ?? 1);
const PAIRS = Number(process.env["PREFLIGHT_FIELD_PAIRS"] ?? 3_000);

/** What an expression gives for an object, as text. */
function evaluate(compiled: CompiledExpression, object: Json): string {
  const evaluation = evaluateExpression(compiled, [jsonToValue(object)]);
  return evaluation.kind === "value" ? buildValueTest("it", evaluation.value) : evaluation.kind;
}

test("random expressions give the same for the kept fields as for the whole object", (t) => {
  const random = createRandom(SEED);
  let compared = 0;
  let cut = 0;
  for (let i = 0; i < PAIRS; i++) {
    const object = generateObject(random);
    const text = writeExpression(object, random);
    const compiled = compile(text);
    if (compiled === undefined) continue;
    const kept = keepUsedFields(object, findFields(compiled));
    assert.equal(evaluate(compiled, kept), evaluate(compiled, dropNulls(object)), `${text}\n${JSON.stringify(object)}`);
    compared += 1;
    if (JSON.stringify(kept).length < JSON.stringify(object).length) cut += 1;
  }
  t.diagnostic(`${compared} compared, ${cut} with a smaller object`);
  assert.ok(compared > PAIRS / 2 && cut > compared / 2);
});
