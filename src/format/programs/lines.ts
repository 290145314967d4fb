import type { Finding } from "../../model/check.ts";
import { describeOrigin } from "../../model/check-origin.ts";
import { formatOwner } from "../../model/owner.ts";
import { formatRef } from "../../model/resource.ts";
import { type Format, type RiskEntry, formatAcceptances, listRiskEntries, getEffect } from "../view/view.ts";
import { toVisibleText, toLine } from "../../model/visible-text.ts";
import { compareText } from "../../model/json.ts";
import { selectReportedRisks } from "../document/document.ts";

const HEADER =
  "risk,effect,leadTime,accepted,check,apiVersion,kind,namespace,name,path,message,see,fix,remediation,url,owners,fixKind,origin";

/** One line for each finding, and one for each incomplete check (RFC 4180). */
export const formatCsv: Format = (view) => {
  const entries = listRiskEntries(view);
  // Only a result of two clusters has a column that says which.
  if (entries.every(({ risk }) => risk.half === undefined))
    return `${HEADER}\r\n${entries.flatMap(buildRows).map(formatCsvRow).join("")}`;
  const rows = entries.flatMap((entry) => buildRows(entry).map((row) => [...row, entry.risk.half ?? ""]));
  return `${HEADER},half\r\n${rows.map(formatCsvRow).join("")}`;
};

function buildRows(entry: RiskEntry): readonly (readonly string[])[] {
  const { risk, findings, isAccepted, acceptances } = entry;
  const accepted = isAccepted ? formatAcceptances(acceptances, "yes") : "";
  const lead = [risk.name, risk.effect ?? "unknown", risk.leadTime ?? "", accepted, risk.check ?? ""];
  const tail = [risk.remediation, risk.url];
  const origin = risk.origin === undefined ? "" : describeOrigin(risk.origin);
  if (findings.length === 0) return [[...lead, "", "", "", "", "", risk.description, "", "", ...tail, "", "", origin]];
  return findings.map((finding) => [
    ...lead,
    ...buildFindingCells(finding),
    ...tail,
    (finding.owners ?? []).map(formatOwner).join("; "),
    finding.fixKind ?? "",
    origin,
  ]);
}

function buildFindingCells({ object, path = "", message, see = [], fix = [] }: Finding): readonly string[] {
  const { apiVersion, kind, namespace = "", name } = object;
  return [apiVersion, kind, namespace, name, path, message || formatRef(object), see.join("\n"), fix.join("\n")];
}

/** A line of cells, as RFC 4180 separates them. */
export function formatCsvRow(cells: readonly string[]): string {
  return `${cells.map(formatCell).join(",")}\r\n`;
}

/** What begins a formula in some spreadsheet, in full width too, behind white space that some of them trim. */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/** A spreadsheet runs a cell that begins like a formula, and names of objects are foreign text. */
function formatCell(text: string): string {
  const plain = toVisibleText(text);
  const safe = FORMULA.test(plain) ? `'${plain}` : plain;
  return /[",\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Annotations of GitHub Actions: one workflow command for each risk. */
export const formatGithub: Format = (view) =>
  listRiskEntries(view)
    .map((entry) => `::${getLevel(entry)} title=${escapeProperty(entry.risk.name)}::${escapeData(formatText(entry))}\n`)
    .join("");

function getLevel({ risk, isAccepted }: RiskEntry): "error" | "warning" | "notice" {
  if (isAccepted) return "notice";
  return risk.unknown || getEffect(risk) === "broken" ? "warning" : "error";
}

function formatText({ risk, isAccepted, acceptances }: RiskEntry): string {
  return `${isAccepted ? `${formatAcceptances(acceptances, "Accepted.")} ` : ""}${risk.message} ${risk.url}`;
}

/** As the runner's toolkit escapes data; without it, text could begin another command. */
export function escapeData(text: string): string {
  return toLine(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

export function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** The names of the risks that are not accepted, one a line. */
export const formatQuiet: Format = (view) => {
  const names = selectReportedRisks(view.report, view.hasUnknownRisks).map(({ name }) => name);
  const unaccepted = names.filter((name) => !view.accepted.has(name)).toSorted(compareText);
  return unaccepted.map((name) => `${name}\n`).join("");
};
