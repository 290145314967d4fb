import assert from "node:assert/strict";
import { test } from "node:test";
import { planKind } from "../../src/checks/crd-skew/kind-plan.ts";
import type { Crd } from "../../src/model/crd.ts";
import { type JsonObject, textAt } from "../../src/model/json.ts";
import { buildCrd, parseVersions } from "../support/checks/widgets.ts";

const MINORS = { source: 33, target: 33 };

/** A CRD whose versions have these fields, by default "x". */
function build(texts: string, fields: Readonly<Record<string, string>> = {}, more: JsonObject = {}): Crd {
  const versions = parseVersions(texts).map((one) => {
    const names = (fields[textAt(one, "name") ?? ""] ?? "x").split(" ");
    const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
    return { ...one, schema: { openAPIV3Schema: { type: "object", properties } } };
  });
  return buildCrd(versions, [], more);
}

function format(installed: Crd, target: Crd, minors = MINORS): string {
  const plan = planKind({ installed, target }, minors);
  if (plan === undefined) return "nothing";
  const lists = plan.reads.map(({ shown, judged }) => {
    const versions = judged.map(({ before, after }) =>
      before.name === after.name ? after.name : `${before.name}>${after.name}`,
    );
    return `${shown.name}: ${versions.join(" ")}`.trim();
  });
  const converted = plan.converted.map(({ version, path }) => `${version} at ${path}`);
  return [...lists, ...(converted.length > 0 ? [`converted ${converted.join(" ")}`] : [])].join("; ");
}

test("judges every version that both serve, by the one in which objects are stored", () => {
  const table: readonly (readonly [
    installed: string,
    target: string,
    changed: Record<string, string>,
    plan: string,
  ])[] = [
    ["v1 v2*", "v1 v2*", {}, "nothing"],
    ["v1 v2*", "v1 v2*", { v1: "y" }, "v2: v2 v1"],
    ["v1 v2*", "v1 v2*", { v1: "y", v2: "y" }, "v2: v2 v1"],
    ["v1 v2*", "v1* v2", { v1: "y", v2: "y" }, "v2: v1 v2"],
    ["v1 v2*", "v1* v2", {}, "nothing"],
    ["v1 v2*", "v1 v2-*", { v2: "y" }, "v2: v1"],
    ["v1 v2-*", "v1 v2*", { v2: "y" }, "v1: v1"],
    ["v1*", "v2*", { v2: "y" }, "v1: v1>v2"],
    ["v1*", "v2*", {}, "nothing"],
    ["v0 v1*", "v2 v3*", { v3: "y" }, "v1: v1>v3"],
    ["v0 v1-*", "v2*", { v2: "y" }, "v0: v0>v2"],
    ["v0-*", "v2*", { v2: "y" }, "nothing"],
  ];
  for (const [installed, target, changed, expected] of table)
    assert.equal(format(build(installed), build(target, changed)), expected, `${installed} to ${target}`);
  const cluster = { ...build("v1*", { v1: "y" }), scope: "Cluster" };
  assert.equal(format(build("v1*"), cluster), "nothing");
  assert.equal(format(build("v1*"), { ...cluster, scope: "Namespaced", kind: "Gadget" }), "nothing");
});

test("reads a version by itself if it shows a field that may be stored and that the list lacks", () => {
  const fields = { v1: "x", v2: "x y" };
  const stored = (crd: Crd, ...storedVersions: readonly string[]): Crd => ({ ...crd, storedVersions });
  const target = build("v1* v2", { ...fields, v1: "x z" });
  assert.equal(format(stored(build("v1* v2", fields), "v1"), target), "v1: v1 v2");
  assert.equal(format(stored(build("v1* v2", fields), "v1", "v2"), target), "v1: v1; v2: v2");
  const unserved = (v1: string): Crd => build("v1 v2 v3-*", { ...fields, v1, v3: "x y" });
  assert.equal(format(unserved("x"), unserved("x z")), "v1: v1; v2: v2");
  const open = (crd: Crd): Crd => {
    const schema = '{"type":"object","x-kubernetes-preserve-unknown-fields":true}';
    return { ...crd, versions: crd.versions.map((one) => (one.storage ? { ...one, schema } : one)) };
  };
  assert.equal(format(open(unserved("x")), open(unserved("x z"))), "v1: v1; v2: v2");
});

test("what keeps unknown fields hides those of the fields that it names", () => {
  const schemas = (v1: string, v2: string): Crd => {
    const crd = build("v1* v2");
    const write = (spec: string): string => `{"type":"object","properties":{"spec":${spec}}}`;
    const [first, second] = crd.versions;
    if (first === undefined || second === undefined) assert.fail("two versions");
    const kept = write(v1).replace("{", '{"x-kubernetes-preserve-unknown-fields":true,');
    return {
      ...crd,
      versions: [
        { ...first, schema: kept },
        { ...second, schema: write(v2) },
      ],
      storedVersions: ["v1", "v2"],
    };
  };
  const plan = (v1: string, v2: string): string =>
    format(schemas(v1, v2), schemas(v1, v2.replace('"string"', '"string","maxLength":1')));
  const list = (field: string): string =>
    `{"type":"array","items":{"type":"object","properties":{"${field}":{"type":"string"}}}}`;
  assert.equal(plan(list("a"), list("a")), "v1: v1 v2");
  assert.equal(plan(list("a"), list("b")), "v1: v1; v2: v2");
  assert.equal(plan('{"type":"object","x-kubernetes-preserve-unknown-fields":true}', list("b")), "v1: v1 v2");
  const open = '{"type":"array","items":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}';
  assert.equal(plan(open, list("b")), "v1: v1 v2");
});

test("judges of versions that a webhook converts what is stored, and names those that get stricter", () => {
  const webhook = { conversion: { strategy: "Webhook" } };
  const judge = (installed: string, target: string, changed: Record<string, string>): string =>
    format(build(installed, {}, webhook), build(target, changed, webhook));
  assert.equal(judge("v1 v2*", "v1 v2*", { v2: "y" }), "v2: v2");
  assert.equal(judge("v1 v2*", "v1 v2*", { v1: "x y" }), "v2: v2");
  assert.equal(judge("v1 v2*", "v1 v2*", { v1: "y" }), "v2: v2; converted v1 at x");
  assert.equal(judge("v1 v2-*", "v1 v2*", { v1: "y" }), "v1:; converted v1 at x");
  assert.equal(judge("v1*", "v2*", {}), "v1: v1>v2");
});

test("judges a schema that stays the same if the target's API servers may refuse more", () => {
  const versionOf = (schema: JsonObject): Crd =>
    buildCrd([{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object", ...schema } } }]);
  const judge = (schema: JsonObject, source: number, target: number): string =>
    format(versionOf(schema), versionOf(schema), { source, target });
  const ranged = { properties: { a: { type: "integer", format: "int32" } } };
  assert.deepEqual([judge(ranged, 35, 36), judge(ranged, 36, 35), judge({}, 35, 36)], ["v1: v1", "nothing", "nothing"]);
  assert.deepEqual([judge({}, 30, 29), judge({}, 29, 30)], ["v1: v1", "nothing"]);
});
