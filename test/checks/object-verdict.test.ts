import { strict as assert } from "node:assert";
import { test } from "node:test";
import { judgeObject } from "../../src/checks/crd-skew/object-verdict.ts";
import { findStoredVersion } from "../../src/checks/crd-skew/crd-pair.ts";
import { parseCrd } from "../../src/model/crd.ts";
import { type JsonObject, objectAt } from "../../src/model/json.ts";
import { compileForTest, wrapSpec } from "../../verify/schema/cel/cases.ts";

const TEXT: JsonObject = { type: "string" };
const OPEN: JsonObject = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const hasRatcheting = true;

function buildSchema(spec: JsonObject, status: JsonObject = OPEN, more: JsonObject = {}): JsonObject {
  return { type: "object", properties: { spec: { type: "object", properties: spec }, status }, ...more };
}

const before = compileForTest(buildSchema({ a: TEXT, b: TEXT }));

test("a field that only the schema of the stored version lacks is dropped, and its default is set", () => {
  const storedAs = compileForTest(buildSchema({ b: { ...TEXT, default: "x" } }));
  const after = compileForTest(buildSchema({ a: TEXT, b: { ...TEXT, maxLength: 0 } }));
  const verdict = judgeObject({ spec: { a: "1" } }, { before, after, storedAs, hasRatcheting }, []);
  assert.deepEqual(verdict?.prunedPaths, ["spec.a"]);
  assert.deepEqual(
    verdict?.errors.map(({ path }) => path),
    ["spec.b"],
  );
});

test("what a webhook converts is not read by the schema of the stored version", () => {
  const versionOf = (name: string, storage: boolean, field: string): JsonObject => ({
    name,
    storage,
    served: true,
    schema: { openAPIV3Schema: buildSchema({ [field]: TEXT }) },
  });
  const find = (strategy: string): string | undefined => {
    const { spec, ...crd } = wrapSpec(OPEN);
    const versions = [versionOf("v1", false, "a"), versionOf("v1beta1", true, "b")];
    const parsed = parseCrd({ ...crd, spec: { ...objectAt(spec), versions, conversion: { strategy } } });
    const [shown] = parsed?.versions ?? [];
    return parsed && shown && findStoredVersion(parsed, parsed, shown)?.name;
  };
  assert.equal(find("None"), "v1beta1");
  assert.equal(find("Webhook"), undefined);
});

test("a rule that a malformed status keeps from running is told, if status has a subresource", () => {
  const status: JsonObject = { type: "object", required: ["c"], properties: { c: TEXT } };
  const ruled = { a: { ...TEXT, "x-kubernetes-validations": [{ rule: "self == 'A'" }] } };
  const judge = (hasStatus: boolean): readonly string[] | undefined => {
    const after = compileForTest(buildSchema(ruled, status), { hasStatus });
    const object = { spec: { a: "1" }, status: {} };
    return judgeObject(object, { before, after, hasRatcheting }, [])?.errors.map(({ path }) => path);
  };
  assert.deepEqual(judge(true)?.toSorted(), ["spec.a", "status.c"]);
  assert.deepEqual(judge(false), ["status.c"]);
});

test("an atomic root refuses every server-side apply", () => {
  const after = compileForTest(buildSchema({ a: TEXT, b: TEXT }, OPEN, { "x-kubernetes-map-type": "atomic" }));
  const verdict = judgeObject({ spec: {} }, { before, after, hasRatcheting }, []);
  assert.deepEqual(
    verdict?.applyFaults.map(({ path }) => path),
    [""],
  );
  assert.equal(judgeObject({ spec: {} }, { before: after, after, hasRatcheting }, []), undefined);
});
