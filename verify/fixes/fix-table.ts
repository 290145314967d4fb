import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checks } from "../../src/checks/index.ts";
import { KNOWN_BUGS } from "../../src/checks/known-bugs/check.ts";
import type { Check, Finding } from "../../src/model/check.ts";
import { type FixKind, type CommandUse, getFixKind, classifyCommands } from "../../src/model/commands.ts";
import { FIXTURES } from "./known-bugs/fixtures.ts";
import { type CheckCase, readCase } from "../../src/cases/case-files.ts";
import { caseFiles } from "../shared/check-folders.ts";
import { getExpectedFindings } from "../../src/cases/expectation.ts";
import { type Remedy, listRemedies } from "./remedies.ts";

/** A risk, the commands that its cases expect, and how they can be used. */
export type FixRow = {
  readonly check: string;
  readonly risk: string;
  readonly fixes: readonly (readonly string[])[];
  readonly uses: readonly CommandUse[];
  /** What they do at worst. */
  readonly kinds: readonly FixKind[];
  /** Why it has no command. */
  readonly noCommand?: string;
  /** Why no command of its risk cases can be tried. */
  readonly notTried?: string;
  /** What its cases do as its text says. */
  readonly remedies?: readonly Remedy[];
  /** Whether its fixture does, for an entry of known-bugs. */
  readonly isRemedied?: boolean;
};

/** One row for each risk; entries of known-bugs without a command are left out. */
export function buildFixRows(): readonly FixRow[] {
  return checks.flatMap((check) => (check.id === "known-bugs" ? buildEntryRows() : buildCheckRows(check)));
}

export function buildCheckRows(check: Check): readonly FixRow[] {
  const cases = caseFiles(check).map(readCase);
  return check.risks.map(({ name, fixKind = "safe" }) => {
    const fixedIn = (one: CheckCase): readonly Finding[] =>
      getExpectedFindings(one).filter(({ risk, fix }) => risk === name && fix);
    const fixesIn = (one: CheckCase): FixRow["fixes"] => fixedIn(one).map(({ fix = [] }) => fix);
    const printed = cases.filter(
      (one) => one.name.startsWith("risk-") && classifyAll(fixesIn(one)).includes("as printed"),
    );
    const reasons = printed.map(({ notReplayed, notTried }) => notReplayed ?? notTried);
    const remedies = cases.flatMap(listRemedies).filter(({ risk }) => risk === name);
    const noCommand = remedies.flatMap((remedy) => remedy.noCommand ?? []).at(0);
    const notTried = reasons.includes(undefined) ? undefined : reasons[0];
    const kinds = cases.flatMap(fixedIn).map((finding) => getFixKind(fixKind, finding));
    return { ...buildRow(check.id, name, cases.flatMap(fixesIn), kinds), noCommand, notTried, remedies };
  });
}

function buildEntryRows(): readonly FixRow[] {
  return KNOWN_BUGS.filter(({ certainty }) => certainty === "risk").flatMap(({ id, name, fix }) => {
    const { notTried, remedied } = FIXTURES[id] ?? {};
    if (fix === undefined) return [];
    return [
      {
        ...buildRow("known-bugs", name, [[`oc ${fix.command}`]], [fix.fixKind]),
        notTried,
        isRemedied: remedied !== undefined,
      },
    ];
  });
}

function buildRow(check: string, risk: string, fixes: FixRow["fixes"], kinds: readonly FixKind[]): FixRow {
  return { check, risk, fixes, uses: classifyAll(fixes), kinds: [...new Set(kinds)].toSorted() };
}

function classifyAll(fixes: FixRow["fixes"]): readonly CommandUse[] {
  return [...new Set(fixes.map(classifyCommands))].toSorted();
}

/** Commands of a risk that removed its fault in test/integration/replay.test.ts, which writes this record. */
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
