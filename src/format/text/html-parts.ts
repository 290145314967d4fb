import type { Facts, Item, Text, TextPart, Card, ObjectEntry, TableBlock } from "./page.ts";
import { splitCommands, formatCommandLabel, sortCommands, isShown, toPlainText } from "./page.ts";
import { formatCount } from "../../model/text.ts";
import { formatMinute } from "../../model/time.ts";
import { toVisibleText } from "../../model/visible-text.ts";

/** A plain text of a page; the commands in it are code. */
export function formatText(text: Text): string {
  const parts = typeof text === "string" ? [text] : text;
  return parts
    .flatMap((part) => (typeof part === "string" ? splitCommands(part) : part))
    .map(formatPart)
    .join("");
}

function formatPart(part: TextPart): string {
  if (typeof part === "string") return escapeMarkup(part);
  if ("own" in part) return escapeMarkup(part.own);
  if ("foreign" in part) return escapeMarkup(part.foreign);
  if ("takes" in part) return `<span class="takes ${part.takes}">${part.takes}</span>`;
  return "code" in part ? formatCode(part.code) : `<strong>${escapeMarkup(part.strong)}</strong>`;
}

/** The heading of a part: an update's arrow is one. */
export function formatHeading(heading: Text): string {
  return formatText(heading).replaceAll(" -&gt; ", " → ");
}

/** A name of a risk, which may be broken between its words where it has to be. */
export function formatName(name: string): string {
  return escapeMarkup(name).replaceAll(/(?<=[a-z])(?=[A-Z])/g, "<wbr>");
}

/** Words, in which a choice of the administrator's may have spaces: "--replicas=<number of pods>". */
const WORDS = /((?:<[a-z][a-z0-9 -]*>|\S)+)/;
const CHOICES = /&lt;[a-z][a-z0-9 -]*&gt;/g;

/** A word with a hyphen is in one piece: a flag that is broken there reads as another. A choice stands out: it has to be filled in. */
export function formatCode(text: string): string {
  const parts = text.split(WORDS).map((part, i) => {
    const markup = escapeMarkup(part).replaceAll(CHOICES, "<var>$&</var>");
    return i % 2 === 1 && part.includes("-") ? `<span>${markup}</span>` : markup;
  });
  return `<code>${parts.join("")}</code>`;
}

/** A command to copy. */
export function formatCommand(label: string, command: string): string {
  return `<div class="command"><span class="label">${escapeMarkup(label)}</span>${formatCode(command)}</div>`;
}

export function formatFacts({ rows }: Facts): string {
  return `<dl>${rows.map(([label, text]) => `<dt>${escapeMarkup(label)}</dt><dd>${formatText(text)}</dd>`).join("")}</dl>`;
}

/** Places within a card or a panel. */
export function formatNotedItems(items: readonly Item[]): string {
  const lines = items.map(({ text, note }) => {
    return `<li>${formatText(text)}${note === undefined ? "" : ` <span class="soft">(${escapeMarkup(note)})</span>`}</li>`;
  });
  return `<ul class="places">${lines.join("")}</ul>`;
}

/** When a page's facts were read: RFC 3339, UTC. */
export function formatMoment(lead: string, time: string): string {
  return `<p class="soft">${escapeMarkup(lead)} ${formatTimes(escapeMarkup(time))}</p>`;
}

/** The times in markup, for the page's script: only whoever opens the page can say how long ago they are. */
export function formatTimes(markup: string): string {
  return markup.replaceAll(
    /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z/g,
    (time) => `<time datetime="${time}">${formatMinute(time)}</time>`,
  );
}

/** Objects in sight; the others are behind one click. */
const MAX_SHOWN = 4;
/** A page with very many objects helps nobody. */
const MAX_ENTRIES = 50;
const MAX_PLACES = 10;

type CardPlace = {
  /** Of its heading. */
  readonly level: number;
  /** Whether it can be linked to, since its title comes once. */
  readonly hasId: boolean;
  /** Whether only its title is seen before it is opened. */
  readonly isFolded: boolean;
};

export function formatCard(card: Card, { level, hasId, isFolded }: CardPlace): string {
  const { title, tone, objects = [], items = [], task } = card;
  const name = escapeMarkup(title);
  const head = formatCardHead(card, level);
  const start = `<article class="card ${tone}"${hasId ? ` id="${name}"` : ""} data-kind="${tone}" data-name="${name}" data-objects="${objects.length + items.length}">`;
  // What is ticked off stays in sight.
  if (isFolded && task === undefined)
    return `${start}<details class="fold"><summary>${head}</summary>${formatContent(card)}</details></article>`;
  const box = task === undefined ? "" : `<input type="checkbox" aria-label="${name} is done">`;
  return `${start}<header>${box}${head}</header>${formatContent(card)}</article>`;
}

function formatCardHead({ title, badge, takes, objects = [], ...card }: Card, level: number): string {
  const mark = objects.length > 1 ? formatCount(objects.length, "object") : card.mark;
  return [
    `<h${level}>${formatName(title)}</h${level}>`,
    badge === undefined
      ? ""
      : `<span class="badge${takes === undefined ? "" : ` takes ${takes}`}">${escapeMarkup(badge)}</span>`,
    mark === undefined ? "" : `<span class="badge plain">${escapeMarkup(mark)}</span>`,
  ].join("");
}

function formatContent(card: Card): string {
  const { quotes = [], text, objects = [], items = [], remedy, task, origin } = card;
  const own = (one: string): Text => (origin === undefined ? one : [{ foreign: one }]);
  const more = items.length - MAX_ENTRIES;
  return [
    ...quotes.map((quote) => `<p class="accepted-why">${formatText(quote)}</p>`),
    text === undefined ? "" : `<p>${formatText(typeof text === "string" ? own(text) : text)}</p>`,
    remedy === undefined ? "" : `<p class="do"><strong>What to do</strong> ${formatText(own(remedy))}</p>`,
    formatObjects(objects, own),
    items.length === 0 ? "" : formatNotedItems(items.slice(0, MAX_ENTRIES)),
    more > 0 ? `<p class="soft">and ${more} more (all with -o json)</p>` : "",
    task === undefined ? "" : `<p>Done when this no longer reports it:</p>${formatCommand("Run", task.done)}`,
    formatFooter(card),
  ].join("");
}

type ToText = (text: string) => Text;

function formatObjects(objects: readonly ObjectEntry[], own: ToText): string {
  if (objects.length === 0) return "";
  const hidden = objects.slice(MAX_SHOWN, MAX_ENTRIES);
  const omitted = objects.length - MAX_ENTRIES;
  return [
    formatList(objects.slice(0, MAX_SHOWN), own),
    hidden.length === 0
      ? ""
      : `<details><summary>${formatCount(objects.length - MAX_SHOWN, "more object")}</summary>${formatList(hidden, own)}${
          omitted > 0 ? `<p class="soft">and ${formatCount(omitted, "more object")} (all with -o json)</p>` : ""
        }</details>`,
  ].join("");
}

function formatList(objects: readonly ObjectEntry[], own: ToText): string {
  return `<ul class="objects">${objects.map((object) => formatObject(object, own)).join("")}</ul>`;
}

/** An object with its faults, and its commands once. */
function formatObject({ kind, name, places, commands, files }: ObjectEntry, own: ToText): string {
  const more = places.length - MAX_PLACES;
  return [
    `<li><p class="ref"><span class="soft">${escapeMarkup(kind)}</span> <strong>${escapeMarkup(name)}</strong></p>`,
    ...places.slice(0, MAX_PLACES).map(({ path, message }) => {
      const where = path === undefined ? "" : `<code>${escapeMarkup(path)}</code> `;
      return `<p class="place">${where}${formatText(own(message))}</p>`;
    }),
    more > 0 ? `<p class="place soft">and ${formatCount(more, "more place")} in it</p>` : "",
    ...sortCommands(commands).map((command) => formatCommand(formatCommandLabel(command), command.text)),
    ...files.map((text) => `<p class="place"><span class="soft">File</span> ${formatText([{ foreign: text }])}</p>`),
    "</li>",
  ].join("");
}

function formatFooter({ title, url, facts = [] }: Card): string {
  if (url === undefined) return "";
  const lists = facts.filter((one) => isShown(one, "html"));
  return [
    "<footer>",
    ...lists.map((one) => {
      return `<details class="more"><summary>${escapeMarkup(one.heading ?? "More")}</summary>${formatFacts(one)}</details>`;
    }),
    `<a href="${escapeMarkup(url)}" rel="noreferrer">Documentation<span class="hidden"> of ${escapeMarkup(title)}</span></a></footer>`,
  ].join("");
}

/** On a narrow screen each row is a block, whose cells say what they are about. `names`: what can be linked to; without it, all. */
export function formatTable(
  { head, rows, tones = [], flexible, linked }: TableBlock,
  names?: ReadonlySet<string>,
): string {
  const headings = head.map((text) => `<th scope="col">${escapeMarkup(text)}</th>`);
  const formatCell = (cell: Text, i: number): string =>
    i === linked && names?.has(toPlainText(cell)) !== false ? formatCardLink(toPlainText(cell)) : formatText(cell);
  const lines = rows.map(([first = "", ...cells], row) => {
    const texts = cells.map(
      (cell, i) =>
        `<td${formatColumn(i + 1, flexible, linked)} data-label="${escapeMarkup(head[i + 1] ?? "")}">${formatCell(cell, i + 1)}</td>`,
    );
    const tone = tones[row];
    return `<tr${tone === undefined ? "" : ` class="${tone}"`}><th scope="row">${formatCell(first, 0)}</th>${texts.join("")}</tr>`;
  });
  return `<div class="wide"><table${formatTableClass(flexible, linked)}><thead><tr>${headings.join("")}</tr></thead><tbody>${lines.join("")}</tbody></table></div>`;
}

function formatTableClass(flexible: number | undefined, linked: number | undefined): string {
  const names = [...(flexible === undefined ? [] : ["fits"]), ...(linked === undefined ? [] : ["overview"])];
  return names.length === 0 ? "" : ` class="${names.join(" ")}"`;
}

function formatColumn(column: number, flexible: number | undefined, linked: number | undefined): string {
  if (column === linked) return ' class="linked"';
  return column === flexible ? ' class="flexible"' : "";
}

function formatCardLink(title: string): string {
  return `<a href="#${escapeMarkup(title)}">${formatName(title)}</a>`;
}

/** Escapes text for XML and HTML, and characters that neither can hold. */
export function escapeMarkup(text: string): string {
  return toVisibleText(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
