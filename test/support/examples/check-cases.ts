import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { listCaseFiles, readCase } from "../../../src/cases/case-files.ts";
import { hasForbiddenRead, listMissingPrefixes, expectOf, parseExpect } from "../../../src/cases/expectation.ts";
import { runCase } from "../../../src/cases/runner.ts";
import { loadChecks } from "../../../src/data-checks/load.ts";

/** The check of an example's folder. */
export function readCheckText(folder: string): { readonly name: string; readonly text: string } {
  return { name: basename(folder), text: readFileSync(join(folder, "check.yaml"), "utf8") };
}

/** Every case reports what it expects, and there is one of each outcome and of a forbidden read. */
export async function assertCases(folder: string): Promise<void> {
  // Cases have the names that stand in the file.
  const [check] = (await loadChecks([readCheckText(folder)], { kind: "embedded" }, new Set())).checks;
  assert.ok(check);
  const cases = listCaseFiles(join(folder, "cases"), check).map((file) => readCase(file));
  for (const one of cases)
    assert.deepEqual(JSON.parse(JSON.stringify(expectOf(await runCase(one, [])))), parseExpect(one), one.file);
  assert.deepEqual(
    listMissingPrefixes(
      check,
      cases.map((one) => one.name),
    ),
    [],
  );
  assert.ok(cases.some(hasForbiddenRead), "no case has a read that is forbidden");
}
