import { formatJsonText } from "../model/visible-text.ts";
import { formatCsv, formatGithub, formatQuiet } from "./programs/lines.ts";
import { formatJson, formatYaml } from "./programs/json.ts";
import { formatJunit } from "./programs/junit.ts";
import { formatReadiness } from "./programs/readiness.ts";
import { formatSarif } from "./programs/sarif.ts";
import { createPageFormats } from "./text/page-formats.ts";
import { buildReportPage } from "./view/report-page.ts";
import type { View } from "./view/view.ts";

const page = createPageFormats(buildReportPage);

/** The output formats of a completed cycle, by name, with the file of an example and who reads it: choices, help and examples follow. */
export const formats = {
  table: defineFormat("table.txt", "a person at a terminal", page.table),
  wide: defineFormat(
    "wide.txt",
    "a person who wants all of it: every object, its owners, and how sure each risk is",
    (view) => page.table({ ...view, isWide: true }),
  ),
  json: defineFormat("result.json", "a program: the document with everything in it", formatJson),
  yaml: defineFormat("result.yaml", "a program, or a person who prefers it to JSON", formatYaml),
  markdown: defineFormat("report.md", "comments, tickets and job summaries", page.markdown),
  html: defineFormat("report.html", "a browser: one page that needs no network, to send and to keep", page.html),
  csv: defineFormat("risks.csv", "a spreadsheet: one line for each finding", formatCsv),
  junit: defineFormat("junit.xml", "CI systems that show test results", formatJunit),
  sarif: defineFormat("preflight.sarif", "code scanning, and viewers of SARIF", formatSarif),
  github: defineFormat("annotations.txt", "GitHub Actions: annotations of the run", formatGithub),
  readiness: defineFormat(
    "readiness.json",
    "the update page of OpenShift's console: the components that an agent of the operator writes",
    formatReadiness,
  ),
  quiet: defineFormat("names.txt", "a script: the names of the risks that are not accepted", formatQuiet),
  "preflight-v1-json": defineFormat("document.json", "the cluster-version operator", ({ document }) =>
    formatJsonText(document),
  ),
} as const;

export type FormatName = keyof typeof formats;

type Format = ((view: View) => string) & { readonly file: string; readonly reader: string };

function defineFormat(file: string, reader: string, format: (view: View) => string): Format {
  return Object.assign((view: View) => format(view), { file, reader });
}
