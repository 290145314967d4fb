import assert from "node:assert/strict";
import { before, test } from "node:test";
import { listTakenNames } from "../../src/cli/checks/taken-names.ts";
import { type CheckFault, formatFault } from "../../src/data-checks/fault.ts";
import { loadChecks } from "../../src/data-checks/load.ts";
import { PLANTED_MISTAKES, SOUND_CHECK } from "../support/data-checks/planted-mistakes.ts";

async function listFaults(text: string): Promise<readonly CheckFault[]> {
  return (await loadChecks([{ name: "check.yaml", text }], "site", listTakenNames())).faults;
}

/** Line and column of "^", both from 1, in the only place of the text that looks so. */
function locate(text: string, marked: string): readonly [line: number, column: number] {
  const around = marked.replace("^", "");
  assert.equal(text.split(around).length, 2, `${marked} is in one place`);
  const at = text.indexOf(around) + marked.indexOf("^");
  return [text.slice(0, at).split("\n").length, at - text.lastIndexOf("\n", at - 1)];
}

before(async () => assert.deepEqual(await listFaults(SOUND_CHECK), []));

test("there are sixty mistakes", () => assert.ok(PLANTED_MISTAKES.length >= 60, String(PLANTED_MISTAKES.length)));

for (const [part, instead, marked, help] of PLANTED_MISTAKES)
  test(`${JSON.stringify(instead.trim().slice(0, 50))} is reported where it stands: ${help.source}`, async () => {
    assert.ok(SOUND_CHECK.includes(part));
    const text = SOUND_CHECK.replace(part, () => instead);
    const faults = await listFaults(text);
    const [line, column] = locate(text, marked);
    const found = faults.find((fault) => fault.line === line && fault.column === column);
    const said = faults.map(formatFault).join("\n");
    assert.ok(found, `nothing at ${line}:${column}:\n${said}`);
    assert.match(`${found.message} ${found.hint ?? ""}`, help, said);
  });
