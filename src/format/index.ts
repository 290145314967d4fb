import { formatDocument } from "./document/document.ts";
import { formatJson } from "./programs/json.ts";
import { formatTable } from "./table/table.ts";
import { formatCsv } from "./programs/csv.ts";
import { formatGithub } from "./programs/github.ts";
import { formatHtml } from "./reports/html/page.ts";
import { formatJunit } from "./programs/junit.ts";
import { formatMarkdown } from "./reports/markdown.ts";
import { formatSarif } from "./programs/sarif.ts";
import { formatYaml } from "./programs/yaml.ts";
import type { Format } from "./view/view.ts";

/** The output formats of a completed cycle, by name. */
export const formats = {
  csv: formatCsv,
  github: formatGithub,
  html: formatHtml,
  json: formatJson,
  junit: formatJunit,
  markdown: formatMarkdown,
  "preflight-v1-json": ({ document }) => formatDocument(document),
  sarif: formatSarif,
  table: ({ report, ...options }) => formatTable(report, options),
  wide: ({ report, ...options }) => formatTable(report, { ...options, isWide: true }),
  yaml: formatYaml,
} as const satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof formats;
