import { escapeMarkup } from "../markup.ts";
import { type Facts, type Item, splitCommands, type Text, type TextPart } from "../page.ts";

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
  return `<div class="command"><span class="label">${label}</span>${formatCode(command)}</div>`;
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
    /\b(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}):\d{2}Z/g,
    (time, day: string, minute: string) => `<time datetime="${time}">${day} ${minute} UTC</time>`,
  );
}
