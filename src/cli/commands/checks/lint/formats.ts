import type { CheckFault } from "../../../../data-checks/fault.ts";
import { formatFault } from "../../../../data-checks/fault.ts";
import { formatJsonText } from "../../../../format/text/json-text.ts";
import { buildSarifMessage, formatSarifRun } from "../../../../format/programs/sarif.ts";

/** What is wrong with the checks of some files. */
export type LintReport = {
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
