import { formatCount } from "../../../model/count.ts";
import { formatCommandLabel, sortCommands } from "../command-labels.ts";
import { escapeMarkup } from "../markup.ts";
import { type Card, isShown, type ObjectEntry } from "../page.ts";
import { formatCommand, formatFacts, formatName, formatNotedItems, formatText } from "./parts.ts";

/** Objects in sight; the others are behind one click. */
const MAX_SHOWN = 4;
/** A page with very many objects helps nobody. */
const MAX_ENTRIES = 50;
const MAX_PLACES = 10;

export type CardPlace = {
  /** Of its heading. */
  readonly level: number;
  /** Whether it can be linked to, since its title comes once. */
  readonly hasId: boolean;
};

export function formatCard(card: Card, { level, hasId }: CardPlace): string {
  const { title, tone, badge, quotes = [], text, objects = [], items = [], remedy, task } = card;
  const name = escapeMarkup(title);
  const mark = objects.length > 1 ? formatCount(objects.length, "object") : card.mark;
  const more = items.length - MAX_ENTRIES;
  return [
    `<article class="card ${tone}"${hasId ? ` id="${name}"` : ""} data-kind="${tone}" data-name="${name}" data-objects="${objects.length + items.length}">`,
    "<header>",
    task === undefined ? "" : `<input type="checkbox" aria-label="${name} is done">`,
    `<h${level}>${formatName(title)}</h${level}>`,
    badge === undefined ? "" : `<span class="badge">${escapeMarkup(badge)}</span>`,
    mark === undefined ? "" : `<span class="badge plain">${escapeMarkup(mark)}</span>`,
    "</header>",
    ...quotes.map((quote) => `<p class="accepted-why">${formatText(quote)}</p>`),
    text === undefined ? "" : `<p>${formatText(text)}</p>`,
    remedy === undefined ? "" : `<p class="do"><strong>What to do</strong> ${formatText(remedy)}</p>`,
    formatObjects(objects),
    items.length === 0 ? "" : formatNotedItems(items.slice(0, MAX_ENTRIES)),
    more > 0 ? `<p class="soft">and ${more} more (all with -o json)</p>` : "",
    task === undefined ? "" : `<p>Done when this no longer reports it:</p>${formatCommand("Run", task.done)}`,
    formatFooter(card),
    "</article>",
  ].join("");
}

function formatObjects(objects: readonly ObjectEntry[]): string {
  if (objects.length === 0) return "";
  const hidden = objects.slice(MAX_SHOWN, MAX_ENTRIES);
  const omitted = objects.length - MAX_ENTRIES;
  return [
    formatList(objects.slice(0, MAX_SHOWN)),
    hidden.length === 0
      ? ""
      : `<details><summary>${formatCount(objects.length - MAX_SHOWN, "more object")}</summary>${formatList(hidden)}${
          omitted > 0 ? `<p class="soft">and ${formatCount(omitted, "more object")} (all with -o json)</p>` : ""
        }</details>`,
  ].join("");
}

function formatList(objects: readonly ObjectEntry[]): string {
  return `<ul class="objects">${objects.map(formatObject).join("")}</ul>`;
}

/** An object with its faults, and its commands once. */
function formatObject({ kind, name, places, commands }: ObjectEntry): string {
  const more = places.length - MAX_PLACES;
  return [
    `<li><p class="ref"><span class="soft">${escapeMarkup(kind)}</span> <strong>${escapeMarkup(name)}</strong></p>`,
    ...places.slice(0, MAX_PLACES).map(({ path, message }) => {
      const where = path === undefined ? "" : `<code>${escapeMarkup(path)}</code> `;
      return `<p class="place">${where}${formatText(message)}</p>`;
    }),
    more > 0 ? `<p class="place soft">and ${formatCount(more, "more place")} in it</p>` : "",
    ...sortCommands(commands).map((command) => formatCommand(formatCommandLabel(command), command.text)),
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
