import { toLine } from "../../model/visible-text.ts";
import type { Block, PageEntry, Item, Line, Page, TableBlock } from "./page.ts";
import { isShown, toPlainLine, toPlainText } from "./page.ts";
import { createPainter, VERDICT_STYLES, wrapText, TONE_STYLES, MIN_WIDTH } from "./terminal-text.ts";
import { type CardFrame, type TerminalOptions, formatBrief, formatCard, formatFacts } from "./terminal-card.ts";
import { countCharacters, takeCharacters } from "../../model/text.ts";

const INDENT = "  ";

/** What is in one piece: blank lines stand between two of them. */
type Piece = readonly string[];

type TextBlock = Extract<Block, { kind: "text" }>;

type Frame = CardFrame & {
  /** Before texts and before commands. */
  readonly indent: string;
  readonly commandIndent: string;
};

/** A page for a terminal; it ends with a line break. */
export function formatTerminal(page: Page, options: TerminalOptions): string {
  const medium = options.isWide === true ? "wide" : "terminal";
  const frame: Frame = { medium, paint: createPainter(options.colour), indent: "", commandIndent: INDENT, options };
  const pieces = [formatHead(page, frame), ...formatBlocks(page.blocks, frame)];
  return `${pieces
    .filter(({ length }) => length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function formatHead({ headline, decision, lines }: Page, { medium, paint, options }: Frame): Piece {
  const style = decision === undefined ? "bold" : VERDICT_STYLES[decision.kind];
  return [
    ...(isShown(headline, medium) ? [paint(style, toLine(toPlainLine(headline)))] : []),
    ...lines.flatMap((line) => (isShown(line, medium) ? formatLine(line, options.width) : [])),
  ];
}

function formatBlocks(blocks: readonly Block[], frame: Frame): readonly Piece[] {
  return blocks.flatMap((block) => (isShown(block, frame.medium) ? formatBlock(block, frame) : []));
}

function formatBlock(block: Block, frame: Frame): readonly Piece[] {
  const { commandIndent, options, paint } = frame;
  switch (block.kind) {
    case "text":
      return [formatTextBlock(block, frame)];
    case "list":
      return [block.items.flatMap((item, i) => formatItem(item, block.isOrdered ? `${i + 1} ` : "-", options.width))];
    case "entries":
      return formatEntries(block.entries, frame);
    case "line":
      return [formatLine(block, options.width)];
    case "commands":
      return [block.commands.map((command) => `${commandIndent}${toLine(command)}`)];
    case "facts":
      return [formatFacts(block, INDENT, options.width)];
    case "table":
      return formatTable(block, frame);
    case "panel":
      return [
        [
          ...(block.heading === undefined ? [] : [paint("bold", toLine(block.heading))]),
          ...formatBlocks(block.blocks, { ...frame, commandIndent: INDENT.repeat(2) }).flat(),
        ],
      ];
    case "details":
      return [wrapText(INDENT, `${block.summary}:`, options.width), ...formatBlocks(block.blocks, frame)];
    case "card":
      return [formatCard(block, frame)];
    case "brief":
      return [formatBrief(block, frame)];
    case "section": {
      const pieces = formatBlocks(block.blocks, { ...frame, indent: INDENT });
      const width = block.isLong ? options.width : Infinity;
      const heading = wrapText("", toPlainText(block.heading), width).map((line) => paint("bold", line));
      return pieces.length === 0 ? [] : [heading, ...pieces];
    }
  }
}

function formatTextBlock({ text, isWhole, verdict }: TextBlock, { indent, options, paint }: Frame): Piece {
  const lines = wrapText(indent, toPlainText(text), isWhole === true ? Infinity : options.width);
  return verdict === undefined ? lines : lines.map((line) => paint(VERDICT_STYLES[verdict], line));
}

/** Names alone are one piece. */
function formatEntries(entries: readonly PageEntry[], frame: Frame): readonly Piece[] {
  const pieces = entries.map((entry) => formatEntry(entry, frame));
  return pieces.every(({ length }) => length === 1) ? [pieces.flat()] : pieces;
}

function formatEntry({ title, isStrong, texts = [], points = [] }: PageEntry, { paint, options }: Frame): Piece {
  const name = toLine(title);
  return [
    `${INDENT}${isStrong ? paint("red", name) : name}`,
    ...[...texts, ...points].flatMap((text) => wrapText(INDENT.repeat(2), text, options.width)),
  ];
}

/** At the margin, wherever it is. */
function formatLine({ lead, text }: Line, width: number): Piece {
  return wrapText(lead === undefined ? "" : `${lead} `, toPlainText(text), width);
}

function formatItem({ lead, text, note }: Item, mark: string, width: number): Piece {
  const start = lead === undefined ? `  ${mark} ` : `  ${lead}: `;
  return wrapText(start, `${toPlainText(text)}${note === undefined ? "" : ` [${note}]`}`, width);
}

const GAP = "   ";
const CUT = "...";
/** What is left of a column says nothing if it is narrower. */
const LEAST = 12;
const HANG = "    ";

type Row = readonly string[];
type Paint = (text: string) => string;

const asIs: Paint = (text) => text;

/** Columns as wide as their longest text, or, where the flexible one would say nothing, two lines for each row. One piece. */
export function formatTable(
  table: TableBlock,
  { paint, options }: Pick<CardFrame, "paint"> & { readonly options: Pick<TerminalOptions, "width"> },
): readonly (readonly string[])[] {
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
