import { toPlainText } from "../plain-text.ts";

/** A line of cells, as RFC 4180 separates them. */
export function formatCsvRow(cells: readonly string[]): string {
  return `${cells.map(formatCell).join(",")}\r\n`;
}

/** A spreadsheet runs a cell that begins like a formula, and names of objects are foreign text. */
function formatCell(text: string): string {
  const plain = text.split("\n").map(toPlainText).join("\n");
  const safe = /^[=+\-@]/.test(plain) ? `'${plain}` : plain;
  return /[",\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
