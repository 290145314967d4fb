import {
  escapeMarkup,
  formatCard,
  formatCommand,
  formatFacts,
  formatHeading,
  formatMoment,
  formatNotedItems,
  formatText,
  formatTimes,
  formatTable,
} from "./html-parts.ts";
import type { Block, PageEntry, Item, Line, Page, Panel, Section, Card } from "./page.ts";
import { isShown } from "./page.ts";
import { SCRIPT, SCRIPT_HASH, formatDecisionPanel, formatPage } from "./html-shell.ts";

/** The level of the headings of a page's parts. Only these can be linked to, since what is deeper may come again. */
const TOP = 2;
/** More cards than these are folded: their titles fit a screen. */
const MAX_OPEN = 5;

/** `level`: of headings. `folds`: whether cards are folded. `names`: of cards and entries that come once, so that they can be linked to. */
type Place = { readonly level: number; readonly folds: boolean; readonly names: ReadonlySet<string> };

function enter(place: Place): Place {
  return { ...place, level: place.level + 1 };
}

/** A page as one HTML file. */
export function formatHtml({ title, context, headline, lines, observedAt, decision, blocks }: Page): string {
  const own = blocks.filter((block) => isShown(block, "html"));
  const start = own.findIndex(({ kind }) => kind === "section");
  const end = start < 0 ? own.length : start;
  const top = { level: TOP, folds: listCards(own).length > MAX_OPEN, names: findNames(own) };
  const [from, to] = typeof title === "string" ? [title] : title;
  const arrow = '<span class="arrow" aria-hidden="true">→</span><span class="hidden"> to </span>';
  return formatPage({
    title: `Preflight: ${to === undefined ? from : `${from} to ${to}`}`,
    script: SCRIPT,
    scriptHash: SCRIPT_HASH,
    header: [
      `<p class="soft">Preflight${context === undefined ? "" : `, ${escapeMarkup(context)}`}</p>`,
      `<h1>${escapeMarkup(from)}${to === undefined ? "" : ` ${arrow} ${escapeMarkup(to)}`}</h1>`,
      ...[headline, ...lines].filter((line) => isShown(line, "html")).map((line) => formatTimes(formatLine(line))),
      observedAt === undefined ? "" : formatMoment("Observed", observedAt),
    ],
    main: [
      ...(decision === undefined ? [] : [formatDecisionPanel(decision, decision.basis, own.flatMap(formatTile))]),
      ...formatBlocks(own.slice(0, end), top),
      listCards(own).length > 0 ? TOOLBAR : "",
      ...formatBlocks(own.slice(end), top),
    ],
  });
}

/** Only a script can use it, and shows it. */
const TOOLBAR = [
  '<form id="toolbar" class="toolbar" hidden><label>Filter <input id="filter" type="search" placeholder="name, object, text"></label>',
  '<label>Sort <select id="sort"><option value="work">in the order of work</option><option value="objects">by number of objects</option><option value="name">by name</option></select></label>',
  '<p id="shown" class="soft" role="status"></p></form>',
].join("");

function formatBlocks(blocks: readonly Block[], place: Place): readonly string[] {
  return blocks.filter((block) => isShown(block, "html")).map((block) => formatBlock(block, place));
}

function formatBlock(block: Block, place: Place): string {
  const { level, folds, names } = place;
  switch (block.kind) {
    case "text":
      return `<p${level === TOP ? ' class="note"' : ""}>${formatText(block.text)}</p>`;
    case "list": {
      const tag = block.isOrdered ? "ol" : "ul";
      const format = block.isToDo ? formatTask : formatItem;
      return [`<${tag} class="lines">`, ...block.items.map((item) => `<li>${format(item)}</li>`), `</${tag}>`].join(
        "\n",
      );
    }
    case "entries":
      return ['<ul class="lines">', ...block.entries.map(formatEntry), "</ul>"].join("\n");
    case "line":
      return formatLine(block);
    case "commands":
      if (block.language === undefined) return formatCommands(block.commands, "Run");
      return `<pre class="file" tabindex="0"><code>${escapeMarkup(block.commands.join("\n"))}</code></pre>`;
    case "facts":
      return block.rows.length === 0 ? "" : formatFacts(block);
    case "table":
      return formatTable(block, names);
    case "panel":
      if (block.tone === undefined) return formatPlainPanel(block, place);
      return `<div class="panel ${block.tone}">${block.blocks.map(formatPanelBlock).join("")}</div>`;
    case "details": {
      const content = formatBlocks(block.blocks, enter(place)).join("");
      const { isOpen, summary } = block;
      if (content === "") return "";
      return `<details${isOpen ? " open" : ""}><summary>${escapeMarkup(summary)}</summary>${content}</details>`;
    }
    case "card":
      return formatCard(block, { level, hasId: names.has(block.title), isFolded: folds });
    case "brief":
      return "";
    case "section":
      return formatSection(block, place);
  }
}

function formatPlainPanel({ heading, blocks }: Panel, place: Place): string {
  const start = heading === undefined ? [] : [`<h${place.level}>${escapeMarkup(heading)}</h${place.level}>`];
  return [...start, ...formatBlocks(blocks, place)].join("\n");
}

function formatEntry({ title, name: anchor, isStrong, texts = [], points = [] }: PageEntry): string {
  const name = formatText(isStrong ? [{ strong: title }] : title);
  const list = points.length === 0 ? "" : formatNotedItems(points.map((text) => ({ text })));
  const id = anchor === undefined ? "" : ` id="${escapeMarkup(anchor)}"`;
  return `<li${id}>${[name, ...texts.map(formatText)].join("<br>")}${list}</li>`;
}

function formatLine({ lead, text }: Line): string {
  return `<p class="soft">${lead === undefined ? "" : `${escapeMarkup(lead)} `}${formatText(text)}</p>`;
}

function formatPanelBlock(block: Block): string {
  if (!isShown(block, "html")) return "";
  if (block.kind === "list") return formatNotedItems(block.items);
  return block.kind === "commands"
    ? formatCommands(block.commands, "Fix")
    : formatBlock(block, { level: TOP + 1, folds: false, names: new Set() });
}

function formatCommands(commands: readonly string[], label: string): string {
  return commands.map((command) => formatCommand(label, command)).join("");
}

function formatSection(section: Section, place: Place): string {
  const { level } = place;
  const { heading, tone, anchor = tone, blocks } = section;
  const entries = countEntries(section);
  const count = entries === 0 ? "" : ` <span class="count">${entries}</span>`;
  const dot = tone === undefined ? "" : '<span class="dot" aria-hidden="true"></span>';
  const id = level === TOP && anchor !== undefined ? ` id="${anchor}"` : "";
  return [
    `<section${id}${tone === undefined ? "" : ` class="group ${tone}"`}>`,
    `<h${level}>${dot}${formatHeading(heading)}${count}</h${level}>`,
    ...formatBlocks(blocks, enter(place)),
    "</section>",
  ].join("\n");
}

/** A box to tick, for whoever prints the page or keeps it open. */
function formatTask({ commands = [], ...item }: Item): string {
  return `<label class="task"><input type="checkbox"> <span>${formatItem(item)}</span></label>${formatCommands(commands, "Run")}`;
}

function formatItem({ lead, text, note }: Item): string {
  const tag = lead === undefined ? "" : `<span class="tag">${escapeMarkup(lead)}</span> `;
  const end = note === undefined ? "" : ` <span class="soft">(${escapeMarkup(note)})</span>`;
  return `${tag}${formatText(text)}${end}`;
}

/** The way to a part of the page, and how much is there. */
function formatTile(block: Block): readonly string[] {
  if (block.kind !== "section" || !isShown(block, "html")) return [];
  const { tone, anchor = tone, heading } = block;
  if (anchor === undefined) return [];
  const cards = listCards(block.blocks).filter((card) => card.tone !== "accepted" || tone === "accepted");
  const own = tone ?? cards[0]?.tone;
  const count = cards.length > 0 ? cards.length : countEntries(block);
  return [
    `<li><a class="tile${own === undefined ? "" : ` ${own}`}" href="#${anchor}"><b>${count}</b> ${formatHeading(heading)}</a></li>`,
  ];
}

/** The cards of a section, and the entries of its lists; none if it has more than one kind of part. */
function countEntries({ blocks, isUncounted }: Pick<Section, "blocks" | "isUncounted">): number {
  if (isUncounted) return 0;
  const own = blocks.filter((block) => isShown(block, "html"));
  if (own.some((block) => block.kind === "section" || (block.kind === "list" && block.isToDo))) return 0;
  const counts = own.map((block): number => {
    if (block.kind === "details") return countEntries(block);
    if (block.kind === "entries") return block.entries.length;
    if (block.kind === "list") return block.items.length;
    return Number(block.kind === "card");
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

/** A name that comes twice says nothing of which is meant. */
function findNames(blocks: readonly Block[]): ReadonlySet<string> {
  const names = [
    ...listCards(blocks).map(({ title }) => title),
    ...listEntries(blocks).flatMap(({ name }) => name ?? []),
  ];
  return new Set([...Map.groupBy(names, (name) => name).values()].flatMap((own) => (own.length === 1 ? own : [])));
}

function listEntries(blocks: readonly Block[]): readonly PageEntry[] {
  return blocks.flatMap((block) => {
    if (!isShown(block, "html")) return [];
    if (block.kind === "entries") return block.entries;
    return "blocks" in block ? listEntries(block.blocks) : [];
  });
}

/** Those of its sections too. */
function listCards(blocks: readonly Block[]): readonly Card[] {
  return blocks.flatMap((block) => {
    if (!isShown(block, "html")) return [];
    if (block.kind === "card") return [block];
    return "blocks" in block ? listCards(block.blocks) : [];
  });
}
