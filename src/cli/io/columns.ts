import { toLine } from "../../model/visible-text.ts";

/** Aligns rows of words in columns. */
export function formatColumns(texts: readonly (readonly string[])[], indent: string): string {
  const rows = texts.map((row) => row.map(toLine));
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => (row[i] ?? "").length)));
  const line = (row: readonly string[]): string => row.map((word, i) => word.padEnd(widths[i] ?? 0)).join("   ");
  return rows.map((row) => `${indent}${line(row)}`.trimEnd()).join("\n");
}
