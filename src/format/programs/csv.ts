import type { Finding } from "../../model/check.ts";
import { formatRef } from "../../model/resource.ts";
import type { Format } from "../view/view.ts";
import { formatCsvRow } from "./csv-row.ts";
import { formatAcceptance, listRiskEntries, type RiskEntry } from "../view/work-order.ts";

const HEADER = [
  "risk",
  "effect",
  "leadTime",
  "accepted",
  "check",
  "apiVersion",
  "kind",
  "namespace",
  "name",
  "path",
  "message",
  "see",
  "fix",
  "remediation",
  "url",
];

/** One line for each finding, and one for each incomplete check (RFC 4180). */
export const formatCsv: Format = (view) => {
  const rows = listRiskEntries(view).flatMap(buildRows);
  return [HEADER, ...rows].map(formatCsvRow).join("");
};

function buildRows(entry: RiskEntry): readonly (readonly string[])[] {
  const { risk, findings, isAccepted, acceptances } = entry;
  const accepted = isAccepted ? acceptances.map(formatAcceptance).join("; ") || "yes" : "";
  const lead = [risk.name, risk.effect ?? "unknown", risk.leadTime ?? "", accepted, risk.check ?? ""];
  const tail = [risk.remediation, risk.url];
  if (findings.length === 0) return [[...lead, "", "", "", "", "", risk.description, "", "", ...tail]];
  return findings.map((finding) => [...lead, ...buildFindingCells(finding), ...tail]);
}

function buildFindingCells({ object, path = "", message, see = [], fix = [] }: Finding): readonly string[] {
  const { apiVersion, kind, namespace = "", name } = object;
  return [apiVersion, kind, namespace, name, path, message || formatRef(object), see.join("\n"), fix.join("\n")];
}
