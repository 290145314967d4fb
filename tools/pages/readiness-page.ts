import { escapeMarkup } from "../../src/format/text/html-parts.ts";
import { at, type Json, objectsAt, parseObject, textAt } from "../../src/model/json.ts";

/**
 * What a console's update page has of `check -o readiness`: the decision, the table of checks, a box for each finding, and the operators. Our
 * own drawing, with the parts and the order of that page and none of its looks.
 */
export function formatReadinessPage(readiness: string): string {
  const components = objectsAt(parseObject(readiness), "analysisData");
  const select = (type: string): readonly Json[] => components.filter((one) => textAt(one, "type") === type);
  const [summary] = select("ota_readiness_summary");
  const [operators] = select("ota_olm_operator_status");
  const findings = select("ota_finding").toSorted(
    (a, b) => SEVERITIES.indexOf(textOf(a, "severity")) - SEVERITIES.indexOf(textOf(b, "severity")),
  );
  const rows = objectsAt(summary, "checks").map((one) => [
    escapeMarkup(textOf(one, "name")),
    formatMark(textOf(one, "status")),
    escapeMarkup(textOf(one, "detail")),
  ]);
  return [
    `<html><head><style>${STYLE}</style></head><body>`,
    `<h1>Update readiness ${formatMark(textOf(summary, "decision"))}</h1>`,
    formatTable(["Check", "Status", "Details"], rows),
    ...findings.map(formatFinding),
    ...(operators === undefined ? [] : ["<h2>OLM operators</h2>", formatOperators(objectsAt(operators, "operators"))]),
    "<script></script></body></html>",
  ].join("\n");
}

const SEVERITIES = ["blocker", "warning", "info"];

function textOf(of: Json | undefined, key: string): string {
  return textAt(of, key) ?? "";
}

function formatMark(word: string): string {
  return `<b class="${escapeMarkup(word)}">${escapeMarkup(word)}</b>`;
}

function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`);
  return `<table><tr>${head.map((cell) => `<th>${cell}</th>`).join("")}</tr>${cells.join("")}</table>`;
}

function formatFinding(finding: Json): string {
  const severity = textOf(finding, "severity");
  const prerequisite = textOf(finding, "prerequisite");
  const command = textOf(finding, "verifyCommand");
  return [
    `<div class="box ${escapeMarkup(severity)}"><p>${formatMark(severity)} <b>${escapeMarkup(textOf(finding, "check"))}</b></p>`,
    `<p>${escapeMarkup(textOf(finding, "detail"))}</p>`,
    prerequisite === "" ? "" : `<p><b>Prerequisite:</b> ${escapeMarkup(prerequisite)}</p>`,
    command === "" ? "" : `<p><code>${escapeMarkup(command)}</code></p>`,
    "</div>",
  ].join("");
}

function formatOperators(operators: readonly Json[]): string {
  const rows = operators.map((one) => [
    escapeMarkup(`${textOf(one, "namespace")}/${textOf(one, "name")}`),
    escapeMarkup(textOf(one, "installedVersion") || "-"),
    escapeMarkup(textOf(one, "channel") || "-"),
    formatCompatible(at(one, "compatibleWithTarget")),
  ]);
  return formatTable(["Operator", "Version", "Channel", "Compatible"], rows);
}

function formatCompatible(isCompatible: Json | undefined): string {
  if (isCompatible === undefined) return "-";
  return isCompatible === true ? formatMark("pass") : formatMark("fail");
}

const STYLE = [
  ":root{--page:#fff;--ink:#1f2328;--line:#d0d7de;--red:#b3131d;--amber:#7d4e00;--green:#1a7f37;--blue:#0b5cad}",
  "@media(prefers-color-scheme:dark){:root{--page:#0d1117;--ink:#e6edf3;--line:#3d444d;--red:#ff7b72;--amber:#d29922;--green:#3fb950;--blue:#79c0ff}}",
  "body{margin:0;padding:20px 24px;background:var(--page);color:var(--ink);font:13px/1.4 system-ui,sans-serif}",
  "h1{font-size:20px;margin:0 0 12px}h2{font-size:16px;margin:16px 0 8px}p{margin:2px 0}",
  "table{border-collapse:collapse;width:100%;margin-bottom:12px}th,td{text-align:left;padding:2px 8px;border-bottom:1px solid var(--line);vertical-align:top}",
  ".box{border:1px solid var(--line);border-left-width:4px;border-radius:4px;padding:6px 10px;margin-bottom:8px;overflow-wrap:anywhere}",
  "code{font:12px ui-monospace,Menlo,Consolas,monospace}",
  ".block,.fail,b.blocker{color:var(--red)}.caution,.warn,b.warning{color:var(--amber)}.recommend,.pass{color:var(--green)}.escalate,.error,b.info{color:var(--blue)}",
  ".box.blocker{border-left-color:var(--red)}.box.warning{border-left-color:var(--amber)}.box.info{border-left-color:var(--blue)}",
].join("");
