import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { FIX_KINDS, type FixKind } from "../../src/model/fix-kind.ts";
import { checks } from "../../src/checks/index.ts";
import { checkFolder } from "../support/cases/check-folders.ts";
import { buildFixRows, isTried, readTriedFixes } from "../support/fix-table.ts";

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

const rows = buildFixRows();

test("each README says what the commands of each risk do at worst, and why", () => {
  const stated = checks.flatMap((check) => {
    const text = readFileSync(join(checkFolder(check), "README.md"), "utf8");
    return [...text.matchAll(/^- ((?:`\w+`(?:, )?)+): (.*because.*)$/gm)].flatMap(([, names = "", reason = ""]) =>
      [...names.matchAll(/\w+/g)].map(([risk]) => ({ check: check.id, risk, kinds: listKinds(reason) })),
    );
  });
  const expected = rows
    .filter(({ kinds }) => kinds.length > 0)
    .map(({ check, risk, kinds }) => ({ check, risk, kinds }));
  const sort = (list: typeof expected) => list.toSorted((a, b) => (a.risk < b.risk ? -1 : 1));
  assert.deepEqual(sort(stated), sort(expected));
});

function listKinds(text: string): readonly FixKind[] {
  return FIX_KINDS.filter((kind) => new RegExp(`\\b${kind}\\b`, "i").test(text)).toSorted();
}

/** They need a choice or an editor, so that a paste alone does nothing. */
const SAFE_BUT_NOT_PASTED = [
  "BootImagesOf41LackAfterburn",
  "BootImagesOf41RejectPodmanCall",
  "BootImagesOf42LackRHELVersion",
  "BootImagesOf42RejectedOnAWS",
  "MachineSetLabelsAnnotationDegradesMachineConfig",
];

test("every command that is safe to paste was pasted, and its fault went", () => {
  const tried = readTriedFixes();
  const safe = rows.filter(({ kinds }) => kinds.includes("safe"));
  const left = safe.filter((row) => !isTried(row, tried)).map(({ risk }) => risk);
  assert.deepEqual(left.toSorted(), SAFE_BUT_NOT_PASTED);
  for (const { risk, uses } of safe.filter((row) => left.includes(row.risk)))
    assert.ok(!uses.includes("as printed"), risk);
});
