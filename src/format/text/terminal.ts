import { toLine } from "../../model/visible-text.ts";
import {
  type Block,
  type PageEntry,
  isShown,
  type Item,
  type Line,
  type Page,
  toPlainLine,
  toPlainText,
} from "./page.ts";
import { createPainter, VERDICT_STYLES } from "./painter.ts";
import { formatBrief } from "./terminal-brief.ts";
import { type CardFrame, formatCard, formatFacts, type TerminalOptions } from "./terminal-card.ts";
import { formatTable } from "./terminal-table.ts";
import { wrapText } from "./wrapping.ts";

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
