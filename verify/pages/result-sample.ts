import { buildDocument } from "../../src/format/document/document.ts";
import { buildComparedResult, type ComparedResult } from "../../src/format/comparison/compared-result.ts";
import { buildJson } from "../../src/format/programs/json.ts";
import { isObject, parseObject } from "../../src/model/json.ts";
import type { CheckReport, Report, ReportRisk } from "../../src/model/report.ts";
import { check, createUnknown, finding, report, risk, run, version } from "./sample.ts";

const NOW = new Date("2026-03-01T12:00:00Z");

/** What `check -o json` prints of a report, as a result to compare. */
export function resultOf(of: Report, accepted: readonly string[] = [], label = "result.json"): ComparedResult {
  const document = buildDocument({ result: { kind: "completed", report: of }, run });
  return parse({ ...buildJson({ document, report: of, accepted: new Set(accepted) }) }, label);
}

/** The same report as a document. */
export function documentOf(of: Report, label = "document.json"): ComparedResult {
  return parse({ ...buildDocument({ result: { kind: "completed", report: of }, run }) }, label);
}

/** A document of a cycle that failed. */
export function failedDocument(message: string, label = "failed.json"): ComparedResult {
  const failure = { reason: "ClusterUnreachable", message } as const;
  const result = { kind: "failed", failure, observedAt: new Date(0) } as const;
  return parse({ ...buildDocument({ result, run }) }, label);
}

function parse(value: object, label: string): ComparedResult {
  const parsed: unknown = parseObject(JSON.stringify(value));
  if (!isObject(parsed)) throw new Error("it is no object");
  return buildComparedResult(parsed, { label, accept: [], now: NOW });
}

/** A check with one risk named after it, on these objects. */
export function riskyCheck(name: string, nodes: readonly string[]): { check: CheckReport; risk: ReportRisk } {
  const findings = nodes.map((node) => finding(name, { object: { apiVersion: "v1", kind: "Node", name: node } }));
  return { check: check(name.toLowerCase(), { kind: "risk", findings, notices: [] }), risk: buildRisk(name) };
}

function buildRisk(name: string): ReportRisk {
  return risk(name, { check: name.toLowerCase(), effect: "stuck" });
}

export const clearCheck = (id: string): CheckReport => check(id, { kind: "clear", notices: [] });

export const unknownCheck = (id: string, ...where: readonly string[]): CheckReport =>
  check(id, { kind: "unknown", unknowns: where.map((one) => createUnknown(one)), findings: [], notices: [] });

/** A report of these checks, with or without risks. */
export function buildReport(
  parts: readonly (CheckReport | { check: CheckReport; risk: ReportRisk })[],
  more: Partial<Report> = {},
): Report {
  return report({
    checks: parts.map((part) => ("check" in part ? part.check : part)),
    risks: parts.flatMap((part) => ("check" in part ? [part.risk] : [])),
    source: version("4.19.8"),
    ...more,
  });
}
