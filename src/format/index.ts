import { renderDocument } from "./document.ts";
import { renderJson } from "./json.ts";
import { renderTable } from "./table.ts";
import type { Format } from "./view.ts";

/** What a completed cycle can be shown as, by the name that a user gives. */
export const formats = {
  json: ({ document, report }) => renderJson(document, report),
  "preflight-v1-json": ({ document }) => renderDocument(document),
  table: ({ report, ...options }) => renderTable(report, options),
} as const satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof formats;
