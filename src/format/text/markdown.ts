import { formatCount } from "../../model/text.ts";
import type { Block, Card, PageEntry, Item, ObjectEntry, Page, Section, TableBlock, Text } from "./page.ts";
import { listCommandLines, isShown, toPlainLine, toPlainText } from "./page.ts";
import { escapeMarkdown, formatCode, formatCommands } from "./markdown-text.ts";

/** A page as GitHub-flavoured markdown, for comments, job summaries and tickets; it ends with a line break. */
export function formatMarkdown({ headline, decision, lines, blocks }: Page): string {
  const paragraphs = [
    ...(isShown(headline, "markdown") ? [`# ${formatText(headline.text)}`] : []),
    ...(decision === undefined ? [] : [`**${escapeMarkdown(decision.words)}.**`]),
    ...lines.filter((line) => isShown(line, "markdown")).map((line) => escapeMarkdown(toPlainLine(line))),
    ...formatBlocks(blocks, 2),
  ];
  return `${paragraphs.join("\n\n")}\n`;
}

function formatBlocks(blocks: readonly Block[], level: number): readonly string[] {
  return blocks.flatMap((block) => (isShown(block, "markdown") ? formatBlock(block, level) : []));
}

function formatBlock(block: Block, level: number): readonly string[] {
  switch (block.kind) {
    case "text":
      return [formatText(block.text)];
    case "list":
      return [formatList(block)];
    case "entries":
      return [block.entries.map(formatEntry).join("\n")];
    case "line":
      return [escapeMarkdown(toPlainLine(block))];
    case "commands":
      return [formatCommands(block.commands, "", block.language)];
    case "facts":
      return [block.rows.map(([label, text]) => `- ${escapeMarkdown(`${label}: ${text}`)}`).join("\n")];
    case "table":
      return [formatTable(block)];
    case "panel":
      return formatBlocks(block.blocks, level);
    case "details":
      return [`${escapeMarkdown(block.summary)}:`, ...formatBlocks(block.blocks, level)];
    case "card":
      return block.task === undefined ? formatCard(block, level) : [formatTaskCard(block, block.task)];
    case "brief":
      return [];
    case "section":
      return formatSection(block, level);
  }
}

function formatSection({ heading, blocks }: Section, level: number): readonly string[] {
  const own = formatBlocks(blocks, level + 1);
  return own.length === 0 ? [] : [`${"#".repeat(level)} ${formatText(heading)}`, ...own];
}

/** Each part is escaped alone, since it may be a text of others. */
function formatText(text: Text): string {
  if (typeof text === "string") return escapeMarkdown(text);
  return text
    .map((span) => {
      if (typeof span === "string") return escapeMarkdown(span);
      if ("own" in span) return span.own;
      if ("foreign" in span) return escapeMarkdown(span.foreign);
      if ("takes" in span) return span.takes;
      return "code" in span ? formatCode(span.code) : `**${escapeMarkdown(span.strong)}**`;
    })
    .join("");
}

export function formatTable({ head, rows }: Pick<TableBlock, "head" | "rows">): string {
  // A dash alone stands for nothing, and begins no list within a cell.
  const format = (cell: Text): string => (cell === "-" ? cell : formatText(cell));
  const lines = [head.map(format), head.map(() => "---"), ...rows.map((row) => row.map(format))];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function formatList({ items, isOrdered, isToDo }: Extract<Block, { kind: "list" }>): string {
  const lines = items.map((item, i) => {
    const line = `${isOrdered ? `${i + 1}.` : "-"} ${isToDo ? "[ ] " : ""}${formatItem(item)}`;
    return item.commands === undefined ? line : `${line}\n\n${formatCommands(item.commands, "  ")}`;
  });
  return lines.join(items.some(({ commands }) => commands !== undefined) ? "\n\n" : "\n");
}

function formatItem({ lead, text, note }: Item): string {
  const end = note === undefined ? "" : ` (${escapeMarkdown(note)})`;
  if (lead === undefined) return `${formatText(text)}${end}`;
  return typeof text === "string"
    ? `${escapeMarkdown(`${lead}: ${text}`)}${end}`
    : `${escapeMarkdown(`${lead}:`)} ${formatText(text)}${end}`;
}

function formatEntry({ title, isStrong, texts = [], points = [] }: PageEntry): string {
  const name: Text = isStrong ? [{ strong: title }] : title;
  return [
    `- ${[name, ...(texts.length === 0 ? [] : [texts.join(" ")])].map(formatText).join(": ")}`,
    ...points.map((point) => `  - ${formatPoint(point)}`),
  ].join("\n");
}

/** A sign at the start of a point would begin a list in it. */
function formatPoint(point: string): string {
  const [, sign, text] = /^([+-]) (.*)$/s.exec(point) ?? [];
  if (sign === undefined || text === undefined) return escapeMarkdown(point);
  return `${sign === "+" ? "added" : "removed"}: ${escapeMarkdown(text)}`;
}

const MAX_OBJECTS = 20;
const MAX_TASK_OBJECTS = 50;
const MAX_PLACES = 10;

function formatCard(card: Card, level: number): readonly string[] {
  const { title, badge, quotes = [], text, objects = [], items = [], remedy, url } = card;
  const more = objects.length - MAX_OBJECTS;
  const link = url === undefined ? "" : `[More](${url})`;
  return [
    `${"#".repeat(level)} ${escapeMarkdown(title)}${badge === undefined ? "" : ` (${badge})`}`,
    ...quotes.map((quote) => `> ${escapeMarkdown(quote)}`),
    ...(text === undefined ? [] : [formatText(text)]),
    objects.slice(0, MAX_OBJECTS).map(formatNamed).join("\n").trimEnd(),
    ...(more > 0 ? [`and ${formatCount(more, "more object")} (all with \`-o json\`)`] : []),
    items.map((item) => `- ${formatItem(item)}`).join("\n"),
    `${remedy === undefined ? "" : `${escapeMarkdown(remedy)} `}${link}`,
  ].filter((block) => block !== "");
}

/** Nothing but a blank line ends the commands of an object before the next one. */
function formatNamed(object: ObjectEntry): string {
  const text = formatObject(object, `**${escapeMarkdown(object.ref)}**`, "");
  return object.commands.length === 0 ? text : `${text}\n`;
}

/** A card to tick off: what is wrong, with which objects, the commands, and how to see that it is done. */
function formatTaskCard(card: Card, { done, list }: NonNullable<Card["task"]>): string {
  const { title, badge, text = "", remedy = "", url, objects = [], isLimited } = card;
  const more = objects.length - MAX_TASK_OBJECTS;
  const count = `${isLimited ? "at least " : ""}${formatCount(more, "more object")}`;
  return [
    `- [ ] **${title}**${badge === undefined ? "" : ` (${badge})`}: ${escapeMarkdown(toPlainText(text))}`,
    `  Do: ${escapeMarkdown(remedy)}${url === undefined ? "" : ` [More](${url})`}`,
    ...objects.slice(0, MAX_TASK_OBJECTS).map((object) => formatObject(object, escapeMarkdown(object.ref), "  ")),
    ...(more > 0 ? [`  - and ${count}: ${formatCode(list)} lists them`] : []),
    `  Done when this no longer reports it: ${formatCode(done)}`,
  ].join("\n\n");
}

/** An object with its faults, and its commands once. */
function formatObject({ places, commands, files }: ObjectEntry, name: string, indent: string): string {
  const more = places.length - MAX_PLACES;
  return [
    `${indent}- ${name}`,
    ...places.slice(0, MAX_PLACES).map(({ path, message }) => {
      return `${indent}  - ${path === undefined ? "" : `${formatCode(path)}: `}${escapeMarkdown(message)}`;
    }),
    ...(more > 0 ? [`${indent}  - and ${formatCount(more, "more place")}`] : []),
    ...files.map((text) => `${indent}  - File: ${escapeMarkdown(text)}`),
    ...(commands.length === 0 ? [] : ["", formatCommands(listCommandLines(commands), `${indent}  `)]),
  ].join("\n");
}
