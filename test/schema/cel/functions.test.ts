import { strict as assert } from "node:assert";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type Json, type JsonObject, listAt, textAt } from "../../../src/model/json.ts";
import { validateObject, judgeDefinition } from "../../../src/schema/crd/index.ts";
import { writeKinds } from "../../support/schema/differential/schema-kinds.ts";
import { ORACLE_MINOR, findOracle } from "../../../verify/differential/oracle.ts";
import { compileForTest, wrapSpec } from "../../../verify/schema/cel/cases.ts";
import { ERRORS, FIELDS, OBJECT, TRUE } from "../../../verify/schema/cel/table.ts";

function buildSchema(rules: readonly string[]): JsonObject {
  return { ...FIELDS, "x-kubernetes-validations": rules.map((rule): Json => ({ rule, message: rule })) };
}

/** The result of each rule: "holds", "fails", "error" or why it was not evaluated. */
function evaluateRules(rules: readonly string[]): readonly string[] {
  const ready = compileForTest({ type: "object", properties: { spec: buildSchema(rules) } });
  const verdict = validateObject(ready, { spec: OBJECT });
  return rules.map((rule) => {
    const [left] = verdict.unevaluatedRules.filter((one) => one.rule === rule);
    const [, program] = [...ready.programs].find(([one]) => one.rule === rule) ?? [];
    if (left) return program?.kind === "none" ? program.why : "not evaluated";
    const error = verdict.errors.find(({ message }) => message.endsWith(rule));
    return error ? (error.message === rule ? "fails" : `error ${error.message}`) : "holds";
  });
}

/** Does the oracle's API server know what the rule uses? */
function isKnown(rule: string): boolean {
  const definition = wrapSpec(buildSchema([rule]));
  return judgeDefinition(definition, definition, ORACLE_MINOR).refusals.length === 0;
}

for (const [about, rules] of Object.entries(TRUE)) {
  test(`rules about ${about} hold`, () => {
    const said = evaluateRules(rules);
    assert.deepEqual(
      rules.flatMap((rule, i) => (said[i] === "holds" ? [] : [`${rule}: ${said[i]}`])),
      [],
    );
  });
}

test("rules fail with an error if they do so in the API server", () => {
  const said = evaluateRules(ERRORS);
  assert.deepEqual(
    ERRORS.flatMap((rule, i) => (said[i]?.startsWith("error") ? [] : [`${rule}: ${said[i]}`])),
    [],
  );
});

test("the API server's own packages agree with the tables", async (t) => {
  const oracle = await findOracle();
  if (typeof oracle === "string") return t.skip(oracle);
  const folder = mkdtempSync(join(tmpdir(), "preflight-cel-"));
  try {
    const rules = [...Object.values(TRUE).flat(), ...ERRORS].filter(isKnown);
    const object = { apiVersion: "example.com/v1", kind: "Thing", metadata: { name: "x" }, spec: OBJECT };
    const [kind] = writeKinds(wrapSpec(buildSchema(rules)), "table", join(folder, "table.json"));
    const [answer = {}] = await oracle([{ crd: kind?.file ?? "", version: "v1", object }]);
    const details = listAt(answer, "errors").map((error) => textAt(error, "detail") ?? "");
    const wrong = details.filter((detail) => !ERRORS.some((rule) => detail.endsWith(rule)) || /compile/.test(detail));
    assert.deepEqual(wrong, [], String(textAt(answer, "error")));
    assert.equal(details.length, ERRORS.filter(isKnown).length);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
