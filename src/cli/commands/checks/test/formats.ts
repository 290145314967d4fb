import { type CheckFault, formatFault } from "../../../../data-checks/fault.ts";
import { formatJsonText } from "../../../../format/text/json-text.ts";
import type { CaseResult } from "./case-results.ts";
import type { CheckFolder } from "./check-folders.ts";

/** The cases of a check, and what they lack. */
export type FolderResult = {
  readonly check: CheckFolder;
  readonly cases: readonly CaseResult[];
  readonly missing: readonly string[];
  readonly undecided: readonly CheckFault[];
};

export const testFormats = {
  text: (results: readonly FolderResult[]) => results.map(formatResult).join(""),
  json: (results: readonly FolderResult[]) => formatJsonText({ checks: results.map(describeResult) }),
};

function describeResult({ check, cases, missing, undecided }: FolderResult): object {
  return {
    check: check.check.id,
    file: check.text.name,
    cases: cases.map(({ name, state, lines }) => ({ name, state, difference: lines })),
    missing,
    faults: check.faults,
    undecided,
  };
}

const STATES: Readonly<Record<CaseResult["state"], string>> = {
  equal: "ok",
  different: "DIFFERS",
  updated: "updated",
  misnamed: "MISNAMED",
};
const COLUMNS = 10;

function formatResult({ check, cases, missing, undecided }: FolderResult): string {
  const faults = [...check.faults, ...undecided].flatMap((fault) => formatFault(fault).split("\n"));
  const lines = [
    ...cases.flatMap(({ name, state, lines: wrong }) => [
      `  ${STATES[state].padEnd(COLUMNS)}${name}`,
      ...wrong.map((line) => `${" ".repeat(COLUMNS + 4)}${line}`),
    ]),
    ...missing.map((text) => `  ${"MISSING".padEnd(COLUMNS)}${text}`),
    ...faults.map((line) => `  ${line}`),
  ];
  return `${[`${check.check.id} (${check.text.name})`, ...lines].map((line) => line.trimEnd()).join("\n")}\n`;
}
