import { formatDocument } from "./document.ts";
import { formatJson } from "./json.ts";
import { formatTable } from "./table/table.ts";
import type { Format } from "./view.ts";

/** The output formats of a completed cycle, by name. */
export const formats = {
  json: formatJson,
  "preflight-v1-json": ({ document }) => formatDocument(document),
  table: ({ report, ...options }) => formatTable(report, options),
} as const satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof formats;
