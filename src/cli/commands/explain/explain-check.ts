import { wrapText } from "../../../format/text/wrapping.ts";
import { type Check, getUnknownRiskName } from "../../../model/check.ts";
import { describeCheck, formatPlatforms } from "../../checks/check-metadata.ts";
import { formatRows } from "./rows.ts";

const INDENT = "  ";

/** A check, with its risks and its reads as lists. */
export function formatCheck(check: Check, width: number): string {
  const { id, title, applies, unknownRisk, reads, readsKindsOfTarget, onRequest } = describeCheck(check);
  const rows = [
    { label: "Updates", text: applies },
    { label: "Platforms", text: formatPlatforms(check) },
    ...(onRequest === undefined ? [] : [{ label: "Note", text: `Runs only if --only names it. ${onRequest}` }]),
  ];
  const risks = [...check.risks, { name: unknownRisk, title: "The check could not be completed" }];
  return `${[
    ...wrapText("", `${id}: ${title}`, width),
    "",
    ...formatRows(rows, width),
    "",
    "Risks ('preflight explain RISK' says what to do):",
    ...risks.flatMap((risk) => [`${INDENT}${risk.name}`, ...wrapText(INDENT.repeat(2), risk.title, width)]),
    "",
    "Reads:",
    ...reads.map((path) => `${INDENT}${path}`),
    ...(readsKindsOfTarget ? [`${INDENT}objects of the kinds whose schema the target changes`] : []),
  ].join("\n")}\n`;
}

/** The risk that reports an incomplete check. */
export function formatUnknownRisk(check: Check, width: number): string {
  const rows = [
    {
      label: "Means",
      text: "The check says nothing about this update. The output names what could not be read, and why.",
    },
    {
      label: "Remedy",
      text: "Remove the reason that the output names. If rights are missing, the output and 'preflight rbac' show those that the check needs.",
    },
    { label: "Check", text: `${check.id} (preflight explain ${check.id})` },
  ];
  return `${[...wrapText("", `${getUnknownRiskName(check)}: the check could not be completed`, width), "", ...formatRows(rows, width)].join("\n")}\n`;
}
