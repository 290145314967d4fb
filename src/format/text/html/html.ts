import { escapeMarkup } from "../markup.ts";
import {
  type Block,
  type PageEntry,
  isShown,
  type Item,
  type Line,
  type Page,
  type Panel,
  type Section,
  type TableBlock,
  toPlainLine,
} from "../page.ts";
import { formatCard } from "./card.ts";
import { formatCommand, formatFacts, formatNotedItems, formatText } from "./parts.ts";
import { SCRIPT, SCRIPT_HASH } from "./script.ts";
import { formatDecisionPanel, formatPage } from "./shell.ts";

/** The level of the headings of a page's parts. Only these can be linked to, since what is deeper may come again. */
const TOP = 2;

/** A page as one HTML file. */
export function formatHtml({ title, context, headline, lines, decision, blocks }: Page): string {
  const own = blocks.filter((block) => isShown(block, "html"));
  const start = own.findIndex(({ kind }) => kind === "section");
  const end = start < 0 ? own.length : start;
  const [from, to] = typeof title === "string" ? [title] : title;
  const arrow = '<span class="arrow" aria-hidden="true">→</span><span class="hidden"> to </span>';
  return formatPage({
    title: `Preflight: ${to === undefined ? from : `${from} to ${to}`}`,
    script: SCRIPT,
    scriptHash: SCRIPT_HASH,
    header: [
      `<p class="soft">Preflight${context === undefined ? "" : `, ${escapeMarkup(context)}`}</p>`,
      `<h1>${escapeMarkup(from)}${to === undefined ? "" : ` ${arrow} ${escapeMarkup(to)}`}</h1>`,
      ...[headline, ...lines].filter((line) => isShown(line, "html")).map(formatLine),
    ],
    main: [
      ...(decision === undefined ? [] : [formatDecisionPanel(decision, decision.basis, own.flatMap(formatTile))]),
      ...formatBlocks(own.slice(0, end), TOP),
      hasCards(own) ? TOOLBAR : "",
      ...formatBlocks(own.slice(end), TOP),
    ],
  });
}

/** Only a script can use it, and shows it. */
const TOOLBAR = [
  '<form id="toolbar" class="toolbar" hidden><label>Filter <input id="filter" type="search" placeholder="name, object, text"></label>',
  '<label>Sort <select id="sort"><option value="work">in the order of work</option><option value="objects">by number of objects</option><option value="name">by name</option></select></label>',
  '<p id="shown" class="soft" role="status"></p></form>',
].join("");

function hasCards(blocks: readonly Block[]): boolean {
  return blocks.some((block) => block.kind === "card" || ("blocks" in block && hasCards(block.blocks)));
}

/** The way to a part of the page, and how much is there. */
function formatTile(block: Block): readonly string[] {
  if (block.kind !== "section" || block.tone === undefined) return [];
  const { tone, heading } = block;
  return [`<li><a class="tile ${tone}" href="#${tone}"><b>${countEntries(block)}</b> ${formatText(heading)}</a></li>`];
}

/** The cards of a section, and the items of its lists. */
function countEntries({ blocks }: Section): number {
  const counts = blocks.map((block) => {
    if (!isShown(block, "html")) return 0;
    return block.kind === "list" ? block.items.length : Number(block.kind === "card");
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

function formatBlocks(blocks: readonly Block[], level: number): readonly string[] {
  return blocks.filter((block) => isShown(block, "html")).map((block) => formatBlock(block, level));
}

function formatBlock(block: Block, level: number): string {
  switch (block.kind) {
    case "text":
      return `<p${level === TOP ? ' class="note"' : ""}>${formatText(block.text)}</p>`;
    case "list": {
      const tag = block.isOrdered ? "ol" : "ul";
      return [`<${tag} class="lines">`, ...block.items.map(formatItem), `</${tag}>`].join("\n");
    }
    case "entries":
      return ['<ul class="lines">', ...block.entries.map(formatEntry), "</ul>"].join("\n");
    case "line":
      return formatLine(block);
    case "commands":
      return formatCommands(block.commands, "Run");
    case "facts":
      return block.rows.length === 0 ? "" : formatFacts(block);
    case "table":
      return formatTable(block);
    case "panel":
      if (block.tone === undefined) return formatPlainPanel(block, level);
      return `<div class="panel ${block.tone}">${block.blocks.map(formatPanelBlock).join("")}</div>`;
    case "details": {
      const content = formatBlocks(block.blocks, level + 1).join("");
      const { isOpen, summary } = block;
      if (content === "") return "";
      return `<details${isOpen ? " open" : ""}><summary>${escapeMarkup(summary)}</summary>${content}</details>`;
    }
    case "card":
      return formatCard(block, level === TOP + 1);
    case "brief":
      return "";
    case "section":
      return formatSection(block, level);
  }
}

function formatPlainPanel({ heading, blocks }: Panel, level: number): string {
  const start = heading === undefined ? [] : [`<h${level}>${escapeMarkup(heading)}</h${level}>`];
  return [...start, ...formatBlocks(blocks, level)].join("\n");
}

function formatEntry({ title, isStrong, texts, points }: PageEntry): string {
  const name = formatText(isStrong ? [{ strong: title }] : title);
  const list = points.length === 0 ? "" : formatNotedItems(points.map((text) => ({ text })));
  return `<li>${[name, ...texts.map(escapeMarkup)].join("<br>")}${list}</li>`;
}

function formatLine(line: Line): string {
  return `<p class="soft">${escapeMarkup(toPlainLine(line))}</p>`;
}

function formatPanelBlock(block: Block): string {
  if (!isShown(block, "html")) return "";
  if (block.kind === "list") return formatNotedItems(block.items);
  return block.kind === "commands" ? formatCommands(block.commands, "Fix") : formatBlock(block, TOP + 1);
}

function formatCommands(commands: readonly string[], label: string): string {
  return commands.map((command) => formatCommand(label, command)).join("");
}

function formatSection(section: Section, level: number): string {
  const { heading, tone, name, blocks } = section;
  const [lead = "", ...parts] = formatBlocks(blocks, level + 1);
  const entries = countEntries(section);
  const count = entries === 0 ? "" : ` <span class="count">${entries}</span>`;
  const title = `${formatText(heading)}${count}`;
  if (tone !== undefined) {
    const id = level === TOP ? ` id="${tone}"` : "";
    const dot = '<span class="dot" aria-hidden="true"></span>';
    const start = `<section${id} class="group ${tone}"><h${level}>${dot}${title}</h${level}>`;
    return [start, lead, ...parts, "</section>"].join("\n");
  }
  const start = `<section${name === undefined ? "" : ` class="${name}"`}><h${level}>${title}</h${level}>${lead}`;
  return parts.length === 0 ? `${start}</section>` : [start, ...parts, "</section>"].join("\n");
}

function formatItem({ lead, text, note }: Item): string {
  const tag = lead === undefined ? "" : `<span class="tag">${escapeMarkup(lead)}</span> `;
  const end = note === undefined ? "" : ` <span class="soft">(${escapeMarkup(note)})</span>`;
  return `<li>${tag}${formatText(text)}${end}</li>`;
}

function formatTable({ head, rows }: TableBlock): string {
  const headings = head.map((text) => `<th scope="col">${escapeMarkup(text)}</th>`);
  const lines = rows.map(([first = "", ...cells]) => {
    const texts = cells.map((cell) => `<td>${formatText(cell)}</td>`);
    return `<tr><th scope="row">${formatText(first)}</th>${texts.join("")}</tr>`;
  });
  return `<div class="wide"><table><thead><tr>${headings.join("")}</tr></thead><tbody>${lines.join("")}</tbody></table></div>`;
}
