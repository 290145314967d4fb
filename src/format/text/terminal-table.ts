import { countCharacters, takeCharacters } from "../../model/characters.ts";
import { toLine } from "../../model/visible-text.ts";
import { type TableBlock, toPlainText } from "./page.ts";
import { TONE_STYLES } from "./painter.ts";
import type { CardFrame } from "./terminal-card.ts";
import { MIN_WIDTH } from "./wrapping.ts";

const GAP = "   ";
const CUT = "...";
/** What is left of a column says nothing if it is narrower. */
const LEAST = 12;
const HANG = "    ";

type Row = readonly string[];
type Paint = (text: string) => string;

const asIs: Paint = (text) => text;

/** Columns as wide as their longest text, or, where the flexible one would say nothing, two lines for each row. One piece. */
export function formatTable(table: TableBlock, { paint, options }: CardFrame): readonly (readonly string[])[] {
  const [head = [], ...rows] = [table.head, ...table.rows].map((row) => row.map((cell) => toLine(toPlainText(cell))));
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => countCharacters(row[i] ?? ""))));
  const { flexible, tones = [] } = table;
  const width = Math.max(options.width, MIN_WIDTH);
  const room = flexible === undefined ? Infinity : width - measureOthers(widths, flexible);
  const paints = tones.map(
    (tone): Paint =>
      (text) =>
        paint(TONE_STYLES[tone], text),
  );
  if (flexible !== undefined && room < Math.min(LEAST, widths[flexible] ?? 0))
    return [rows.flatMap((row, i) => formatStacked(row, flexible, width, paints[i]))];
  const fitted = widths.map((own, i) => (i === flexible ? Math.min(own, room) : own));
  return [[paint("bold", formatRow(head, fitted)), ...rows.map((row, i) => formatRow(row, fitted, paints[i]))]];
}

function measureOthers(widths: readonly number[], flexible: number): number {
  const own = widths.filter((_, i) => i !== flexible);
  return own.reduce((sum, width) => sum + width, GAP.length * own.length);
}

/** The first text is painted. */
function formatRow(row: Row, widths: readonly number[], paint: Paint = asIs): string {
  const [first = "", ...others] = row.map((text, i) => pad(cut(text, widths[i] ?? 0), widths[i] ?? 0));
  return `${paint(first)}${GAP}${others.join(GAP)}`.trimEnd();
}

/** The first two columns, then the others, of which the flexible one is last and cut. */
function formatStacked(row: Row, flexible: number, width: number, paint: Paint = asIs): readonly string[] {
  const [first = "", second = ""] = row;
  const own = row[flexible] ?? "";
  const others = row.filter((_, i) => i > 1 && i !== flexible);
  return [`${paint(first)}${GAP}${second}`, `${HANG}${cut([...others, own].join(", "), width - HANG.length)}`];
}

function cut(text: string, width: number): string {
  if (countCharacters(text) <= width) return text;
  return `${takeCharacters(text, width - CUT.length)}${CUT}`;
}

function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - countCharacters(text)));
}
