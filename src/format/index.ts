import { formatDocument } from "./document/document.ts";
import { formatJson } from "./programs/json.ts";
import { formatCsv } from "./programs/csv.ts";
import { formatGithub } from "./programs/github.ts";
import { formatJunit } from "./programs/junit.ts";
import { formatSarif } from "./programs/sarif.ts";
import { formatYaml } from "./programs/yaml.ts";
import { formatHtml } from "./text/html/html.ts";
import { formatMarkdown } from "./text/markdown.ts";
import { formatTerminal } from "./text/terminal.ts";
import { buildReportPage } from "./view/report-page.ts";
import type { Format } from "./view/view.ts";

/** The output formats of a completed cycle, by name. */
export const formats = {
  csv: formatCsv,
  github: formatGithub,
  html: (view) => formatHtml(buildReportPage(view)),
  json: formatJson,
  junit: formatJunit,
  markdown: (view) => formatMarkdown(buildReportPage(view)),
  "preflight-v1-json": ({ document }) => formatDocument(document),
  sarif: formatSarif,
  table: (view) => formatTerminal(buildReportPage(view), view),
  wide: (view) => formatTerminal(buildReportPage(view), { ...view, isWide: true }),
  yaml: formatYaml,
} as const satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof formats;
