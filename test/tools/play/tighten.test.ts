import assert from "node:assert/strict";
import { test } from "node:test";
import { at } from "../../../src/model/json.ts";
import { CHANGE_NAMES, tighten } from "../../../verify/play/tighten.ts";
import { createRandom } from "../../../verify/schema/random/random.ts";

const TEXT = { type: "string", nullable: true };
const SPEC = {
  type: "object",
  properties: {
    text: TEXT,
    mode: { type: "string", enum: ["A", "B"] },
    number: { type: "number" },
    list: { type: "array", items: { type: "object", required: ["k"], properties: { k: { type: "string" } } } },
    texts: { type: "array", items: TEXT },
    map: { type: "object", additionalProperties: TEXT },
    open: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  },
};
const CRD = {
  spec: { versions: [{ name: "v1", schema: { openAPIV3Schema: { type: "object", properties: { spec: SPEC } } } }] },
};
const SCHEMA = ["spec", "versions", 0, "schema", "openAPIV3Schema"] as const;

test("every kind of change finds a place, and changes the spec alone", () => {
  for (const name of CHANGE_NAMES)
    for (let seed = 0; seed < 20; seed += 1) {
      const changed = tighten(CRD, name, createRandom(seed));
      assert.ok(changed, name);
      assert.notDeepEqual(changed, CRD, name);
      assert.equal(at(changed, ...SCHEMA, "type"), "object");
      assert.deepEqual(Object.keys(changed), ["spec"]);
    }
});

test("a definition without a place for a change stays as it is", () => {
  const closed = { spec: { versions: [{ name: "v1", schema: { openAPIV3Schema: { type: "object" } } }] } };
  for (const name of CHANGE_NAMES) assert.equal(tighten(closed, name, createRandom(1)), undefined, name);
});
