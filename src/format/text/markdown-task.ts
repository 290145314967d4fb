import { formatCount } from "../../model/count.ts";
import { listCommandLines } from "./command-labels.ts";
import { escapeMarkdown, formatCode, formatCommands } from "./markdown-text.ts";
import { type Card, type ObjectEntry, toPlainText } from "./page.ts";

const MAX_OBJECTS = 50;
const MAX_PLACES = 10;

/** A card to tick off: what is wrong, with which objects, the commands, and how to see that it is done. */
export function formatTaskCard(card: Card, { done, list }: NonNullable<Card["task"]>): string {
  const { title, badge, text = "", remedy = "", url, objects, isLimited } = card;
  const more = objects.length - MAX_OBJECTS;
  const count = `${isLimited ? "at least " : ""}${formatCount(more, "more object")}`;
  return [
    `- [ ] **${title}**${badge === undefined ? "" : ` (${badge})`}: ${escapeMarkdown(toPlainText(text))}`,
    `  Do: ${escapeMarkdown(remedy)}${url === undefined ? "" : ` [More](${url})`}`,
    ...objects.slice(0, MAX_OBJECTS).map(formatObject),
    ...(more > 0 ? [`  - and ${count}: ${formatCode(list)} lists them`] : []),
    `  Done when this no longer reports it: ${formatCode(done)}`,
  ].join("\n\n");
}

function formatObject({ ref, places, commands }: ObjectEntry): string {
  const more = places.length - MAX_PLACES;
  const lines = listCommandLines(commands);
  return [
    `  - ${escapeMarkdown(ref)}`,
    ...places.slice(0, MAX_PLACES).map(({ path, message }) => {
      return `    - ${path === undefined ? "" : `${formatCode(path)}: `}${escapeMarkdown(message)}`;
    }),
    ...(more > 0 ? [`    - and ${formatCount(more, "more place")}`] : []),
    ...(lines.length === 0 ? [] : ["", formatCommands(lines, "    ")]),
  ].join("\n");
}
