import { toVisibleText } from "../../model/visible-text.ts";

/** A line of cells, as RFC 4180 separates them. */
export function formatCsvRow(cells: readonly string[]): string {
  return `${cells.map(formatCell).join(",")}\r\n`;
}

/** What begins a formula in some spreadsheet, in full width too, behind white space that some of them trim. */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/** A spreadsheet runs a cell that begins like a formula, and names of objects are foreign text. */
function formatCell(text: string): string {
  const plain = toVisibleText(text);
  const safe = FORMULA.test(plain) ? `'${plain}` : plain;
  return /[",\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
