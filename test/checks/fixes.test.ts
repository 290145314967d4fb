import assert from "node:assert/strict";
import { test } from "node:test";
import { isTried } from "../support/fix-table.ts";

test("a command counts as tried only as it was recorded", () => {
  const tried = { A: { case: "a/risk-a", commands: ["oc delete pod/a", "oc label node/b c-"] } };
  const isTriedAs = (...fixes: readonly (readonly string[])[]) => isTried({ risk: "A", fixes }, tried);
  assert.equal(isTriedAs(["oc delete pod/a"], ["oc delete pod/x", "oc label node/y c-"]), true);
  assert.equal(isTriedAs(["oc delete {object}", "oc label {object} c-"]), true);
  assert.equal(isTriedAs(["oc delete {object}", "oc label {object} d-"]), false);
  assert.equal(isTriedAs(["oc delete pod/a"]), false);
  assert.equal(isTriedAs(), false);
  assert.equal(isTried({ risk: "B", fixes: [tried.A.commands] }, tried), false);
});
