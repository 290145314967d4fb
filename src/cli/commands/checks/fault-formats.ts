import { type CheckFault, formatFault } from "../../../data-checks/format/fault.ts";
import { formatJsonText } from "../../../model/visible-text.ts";
import { buildSarifMessage, formatSarifRun } from "../../../format/programs/sarif.ts";
import type { CaseResult } from "./case-results.ts";
import type { CheckFolder } from "./test.ts";

/** What is wrong with the checks of some files. */
type LintReport = {
  readonly version: string;
  readonly files: number;
  readonly faults: readonly CheckFault[];
};

export const faultFormats = {
  text: ({ faults }: LintReport) => faults.map((fault) => `${formatFault(fault)}\n`).join(""),
  json: ({ files, faults }: LintReport) => formatJsonText({ files, faults }),
  sarif: formatFaultsSarif,
};

/** Names of rules are part of the output: they never change. */
const RULES = {
  error: { id: "CheckError", text: "The check can't run" },
  warning: { id: "CheckWarning", text: "The check runs, and may not do what is meant" },
} as const;

const SEVERITIES = ["error", "warning"] as const;

/** SARIF 2.1.0 (OASIS). */
function formatFaultsSarif({ version, faults }: LintReport): string {
  const rules = SEVERITIES.map((level) => ({
    id: RULES[level].id,
    shortDescription: { text: RULES[level].text },
    defaultConfiguration: { level },
  }));
  return formatSarifRun({
    tool: { driver: { name: "preflight checks lint", semanticVersion: version, version, rules } },
    columnKind: "utf16CodeUnits",
    results: faults.map(buildResult),
  });
}

function buildResult({ severity, file, line, column, length, place, message, hint }: CheckFault): object {
  const where = place === "" ? "" : `${place}: `;
  const more = hint === undefined ? "" : ` (${hint})`;
  return {
    ruleId: RULES[severity].id,
    ruleIndex: SEVERITIES.indexOf(severity),
    level: severity,
    message: buildSarifMessage(`${where}${message}${more}`),
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: file.split("/").map(encodeURIComponent).join("/") },
          region: { startLine: line, startColumn: column, endColumn: column + length },
        },
      },
    ],
    partialFingerprints: { "fault/v1": [file, place, message].join(" ") },
  };
}

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
