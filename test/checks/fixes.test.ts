import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readCase } from "../../src/cases/case-files.ts";
import { getExpectedFindings } from "../../src/cases/expectation.ts";
import { FIX_KINDS, type FixKind, getFixKind } from "../../src/model/commands.ts";
import { checks } from "../../src/checks/index.ts";
import { caseFiles, checkFolder } from "../../verify/shared/check-folders.ts";
import { selectedChecks } from "../support/cases/selected-checks.ts";
import { buildFixRows, isTried, readTriedFixes } from "../../verify/fixes/fix-table.ts";

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

for (const check of selectedChecks)
  test(`the README of ${check.id} says what the commands of each risk do at worst, and why`, () => {
    const file = join(checkFolder(check), "README.md");
    const stated = [...readFileSync(file, "utf8").matchAll(/^- ((?:`\w+`(?:, )?)+): (.*because.*)$/gm)];
    const kindsByRisk = Object.fromEntries(
      stated.flatMap(([, names = "", reason = ""]) =>
        [...names.matchAll(/\w+/g)].map(([risk]) => [risk, listKinds(reason)]),
      ),
    );
    const fixes = rows.filter((row) => row.check === check.id && row.kinds.length > 0);
    const expected = Object.fromEntries(fixes.map(({ risk, kinds }) => [risk, kinds]));
    assert.deepEqual(
      kindsByRisk,
      expected,
      `${file} needs a line "- \`RISK\`: KIND, because ..." for each risk with a fix`,
    );
  });

function listKinds(text: string): readonly FixKind[] {
  return FIX_KINDS.filter((kind) => new RegExp(`\\b${kind}\\b`, "i").test(text)).toSorted();
}

/** They need a choice or an editor, so that a paste alone does nothing. Of a webhook, what is tried as printed is what weakens. */
const SAFE_BUT_NOT_PASTED = [
  "BootImagesOf41LackAfterburn",
  "BootImagesOf41RejectPodmanCall",
  "BootImagesOf42LackRHELVersion",
  "BootImagesOf42RejectedOnAWS",
  "FailClosedWebhookWithoutBackend",
  "MachineSetLabelsAnnotationDegradesMachineConfig",
];

test("every command that is safe to paste was pasted, and its fault went", () => {
  const tried = readTriedFixes();
  const safe = rows.filter(({ kinds }) => kinds.includes("safe"));
  const left = safe.filter((row) => row.kinds.length > 1 || !isTried(row, tried)).map(({ risk }) => risk);
  const advice =
    "PREFLIGHT_CASES=all UPDATE=1 npm test -- test/integration/replay.test.ts tries commands and records which helped";
  assert.deepEqual(left.toSorted(), SAFE_BUT_NOT_PASTED, advice);
  for (const { risk, uses, kinds } of safe.filter((row) => left.includes(row.risk)))
    assert.ok(kinds.length > 1 || !uses.includes("as printed"), risk);
});

/** What a command does whatever it is for, by words that stand in it. */
const TELLING: readonly (readonly [words: RegExp, least: FixKind])[] = [
  [/ (?:delete|drain|restart|set image|reboot) /, "disruptive"],
  [/"paused":false|"channel":/, "disruptive"],
  [/"Ignore"|configmap\/admin-acks|certificate approve|"storedVersions"/, "weakening"],
  [/ (?:patch|edit|delete) poddisruptionbudget\.policy\//, "weakening"],
];

test("no command is called more harmless than its words are", () => {
  const found = checks.flatMap((check) =>
    caseFiles(check)
      .map(readCase)
      .flatMap(getExpectedFindings)
      .flatMap((finding) => {
        const { fixKind } = check.risks.find(({ name }) => name === finding.risk) ?? {};
        return (finding.fix ?? []).map((command) => ({ command, kind: fixKind && getFixKind(fixKind, finding) }));
      }),
  );
  assert.ok(found.length > 100);
  for (const { command, kind = "safe" } of found)
    for (const [words, least] of TELLING.filter(([pattern]) => pattern.test(command)))
      assert.ok(FIX_KINDS.indexOf(kind) >= FIX_KINDS.indexOf(least), `${command} is ${least} (${String(words)})`);
});
