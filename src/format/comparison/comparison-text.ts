import { toLine } from "../../model/visible-text.ts";
import { escapeMarkdown } from "../text/markdown-text.ts";
import { createPainter } from "../text/painter.ts";
import { formatSection } from "../text/section.ts";
import { wrapText } from "../text/wrapping.ts";
import type { View } from "../view/view.ts";
import type { ComparisonPage, ComparisonItem, ComparisonSection } from "./comparison-sections.ts";

type Options = Pick<View, "colour" | "width">;

export function formatComparisonTable(page: ComparisonPage, options: Options): string {
  const { width } = options;
  const blocks = [
    [
      createPainter(options.colour).bold(toLine(page.headline)),
      ...page.lines.flatMap((line) => wrapText("", line, width)),
    ],
    ...page.sections.map((section) => formatTableSection(section, options)),
    wrapText("", page.verdict, width),
  ];
  return `${blocks.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

/** Names alone stand in one block. */
function formatTableSection({ heading, items }: ComparisonSection, options: Options): readonly string[] {
  const blocks = items.map((item) => formatTableItem(item, options));
  const isList = blocks.every(({ length }) => length === 1);
  return formatSection(heading, isList ? [blocks.flat()] : blocks, options);
}

function formatTableItem(
  { title, isWorse, texts, points }: ComparisonItem,
  { colour, width }: Options,
): readonly string[] {
  const { red } = createPainter(colour);
  const name = toLine(title);
  return [
    `  ${isWorse ? red(name) : name}`,
    ...texts.flatMap((text) => wrapText("    ", text, width)),
    ...points.flatMap((point) => wrapText("    ", point, width)),
  ];
}

/** GitHub-flavoured markdown, for comments, job summaries and tickets. */
export function formatComparisonMarkdown({ headline, lines, sections, verdict }: ComparisonPage): string {
  const blocks = [
    `# ${escapeMarkdown(headline)}`,
    lines.map((line) => `- ${escapeMarkdown(line)}`).join("\n"),
    ...sections.flatMap(({ heading, items }) => [`## ${heading}`, items.map(formatMarkdownItem).join("\n")]),
    verdict,
  ];
  return `${blocks.join("\n\n")}\n`;
}

function formatMarkdownItem({ title, isWorse, texts, points }: ComparisonItem): string {
  const name = isWorse ? `**${escapeMarkdown(title)}**` : escapeMarkdown(title);
  return [
    `- ${[name, ...(texts.length === 0 ? [] : [escapeMarkdown(texts.join(" "))])].join(": ")}`,
    ...points.map((point) => `  - ${formatPoint(point)}`),
  ].join("\n");
}

/** A sign at the start of a point would begin a list in it. */
function formatPoint(point: string): string {
  const [, sign, text] = /^([+-]) (.*)$/s.exec(point) ?? [];
  if (sign === undefined || text === undefined) return escapeMarkdown(point);
  return `${sign === "+" ? "added" : "removed"}: ${escapeMarkdown(text)}`;
}
