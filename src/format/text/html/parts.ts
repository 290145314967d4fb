import { escapeMarkup } from "../markup.ts";
import type { Facts, Item, Text } from "../page.ts";

export function formatText(text: Text): string {
  if (typeof text === "string") return escapeMarkup(text);
  return text
    .map((span) => {
      if (typeof span === "string") return escapeMarkup(span);
      if ("own" in span) return escapeMarkup(span.own);
      return "code" in span
        ? `<code>${escapeMarkup(span.code)}</code>`
        : `<strong>${escapeMarkup(span.strong)}</strong>`;
    })
    .join("");
}

/** A command to copy. A choice of the administrator's stands out: it has to be filled in. */
export function formatCommand(label: string, command: string): string {
  const text = escapeMarkup(command).replaceAll(/&lt;[a-z][a-z0-9 -]*&gt;/g, "<var>$&</var>");
  return `<div class="command"><span class="label">${label}</span><code>${text}</code></div>`;
}

export function formatFacts({ rows }: Facts): string {
  return `<dl>${rows.map(([label, text]) => `<dt>${escapeMarkup(label)}</dt><dd>${escapeMarkup(text)}</dd>`).join("")}</dl>`;
}

/** Places within a card or a panel. */
export function formatNotedItems(items: readonly Item[]): string {
  const lines = items.map(({ text, note }) => {
    return `<li>${formatText(text)}${note === undefined ? "" : ` <span class="soft">(${escapeMarkup(note)})</span>`}</li>`;
  });
  return `<ul class="places">${lines.join("")}</ul>`;
}
