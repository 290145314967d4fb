import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checks } from "../../src/checks/index.ts";
import { KNOWN_BUGS } from "../../src/checks/known-bugs/bugs.ts";
import type { Check, Finding, RiskText } from "../../src/model/check.ts";
import { type CaseFile, caseFiles, readCase } from "./cases/case-files.ts";
import type { Expect } from "./cases/expectation.ts";
import { type CommandUse, classifyCommands } from "./printed-commands.ts";

/** A risk, the commands that its cases expect, and how they can be used. */
export type FixRow = {
  readonly check: string;
  readonly risk: string;
  readonly fixes: readonly (readonly string[])[];
  readonly uses: readonly CommandUse[];
};

/** One row for each risk; entries of known-bugs without a command are left out. */
export function buildFixRows(): readonly FixRow[] {
  return checks.flatMap((check) => (check.id === "known-bugs" ? buildEntryRows() : buildCheckRows(check)));
}

function buildCheckRows(check: Check): readonly FixRow[] {
  const findings = caseFiles(check).flatMap((file) => readExpectedFindings(file));
  return check.risks.map(({ name }: RiskText) =>
    buildRow(
      check.id,
      name,
      findings.flatMap(({ risk, fix }) => (risk === name && fix ? [fix] : [])),
    ),
  );
}

function readExpectedFindings(file: CaseFile): readonly Finding[] {
  const { findings = [] }: Expect = JSON.parse(JSON.stringify(readCase(file).expect));
  return findings;
}

function buildEntryRows(): readonly FixRow[] {
  return KNOWN_BUGS.filter(({ certainty }) => certainty === "risk").flatMap(({ name, fix }) =>
    fix ? [buildRow("known-bugs", name, [[`oc ${fix.command}`]])] : [],
  );
}

function buildRow(check: string, risk: string, fixes: FixRow["fixes"]): FixRow {
  return { check, risk, fixes, uses: [...new Set(fixes.map(classifyCommands))].toSorted() };
}

/** Commands of a risk that removed its fault in test/integration/fixes.test.ts, which writes this record. */
export type TriedFixes = Readonly<Record<string, { readonly case: string; readonly commands: readonly string[] }>>;

export const TRIED_FIXES_FILE = join(import.meta.dirname, "tried-fixes.json");

export function readTriedFixes(): TriedFixes {
  return JSON.parse(readFileSync(TRIED_FIXES_FILE, "utf8"));
}

/** Whether the recorded commands are still those of the risk, whatever object they name. */
export function isTried({ risk, fixes }: Pick<FixRow, "risk" | "fixes">, tried: TriedFixes): boolean {
  const commands = tried[risk]?.commands;
  return commands !== undefined && fixes.some((fix) => getForm(fix) === getForm(commands));
}

/** Entries of known-bugs have "{object}" for the object's kind and name. */
function getForm(commands: readonly string[]): string {
  return commands.map((command) => command.replaceAll(/(?<= )[a-z0-9.]+\/[^\s'"]+/g, "{object}")).join("\n");
}
