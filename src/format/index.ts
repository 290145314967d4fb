import { formatDocument } from "./document.ts";
import { formatJson } from "./json.ts";
import { formatTable } from "./table/table.ts";
import type { Format } from "./view.ts";

/** What a completed cycle can be shown as, by the name that a user gives. */
export const formats = {
  json: ({ document, report }) => formatJson(document, report),
  "preflight-v1-json": ({ document }) => formatDocument(document),
  table: ({ report, ...options }) => formatTable(report, options),
} as const satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof formats;
