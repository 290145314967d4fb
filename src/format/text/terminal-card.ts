import { formatCount } from "../../model/text.ts";
import { toLine } from "../../model/visible-text.ts";
import type { Card, Facts, Medium, ObjectCommand, ObjectEntry, Brief, NextStep } from "./page.ts";
import { formatCommandLabel, sortCommands, isShown, toPlainText } from "./page.ts";
import { type Painter, wrapText, TONE_STYLES } from "./terminal-text.ts";

/** How a terminal shows a page. */
export type TerminalOptions = {
  /** Whether the text may contain ANSI colours. */
  readonly colour: boolean;
  /** Whether the text may contain hyperlinks. */
  readonly links?: boolean;
  /** The column at which text is wrapped. */
  readonly width: number;
  /** Everything that is known. */
  readonly isWide?: boolean;
  /** What the user calls this program; by default its own name. */
  readonly program?: string;
};

export type CardFrame = {
  readonly medium: Medium;
  readonly paint: Painter;
  readonly options: TerminalOptions;
};

const MAX_OBJECTS = 5;
const MAX_PLACES = 3;
const INDENT = "    ";
const LEAD = "    - ";
const DETAIL = " ".repeat(LEAD.length);

export function formatCard(card: Card, frame: CardFrame): readonly string[] {
  const { width } = frame.options;
  const { quotes = [], text, remedy, facts = [] } = card;
  return [
    formatTitle(card, frame),
    ...quotes.flatMap((quote) => wrapText(INDENT, quote, width)),
    ...(text === undefined ? [] : wrapText(INDENT, toPlainText(text), width)),
    ...formatObjects(card, frame),
    ...(remedy === undefined ? [] : wrapText(`${INDENT}Do   `, remedy, width)),
    ...formatLink(card, frame),
    ...facts.flatMap((one) => (isShown(one, frame.medium) ? formatFacts(one, INDENT, width) : [])),
  ];
}

export function formatFacts({ labelWidth, rows }: Facts, indent: string, width: number): readonly string[] {
  return rows.flatMap(([label, text]) => wrapText(`${indent}${label.padEnd(labelWidth)} `, text, width));
}

function formatTitle({ title, url = "", tone, badge }: Card, { paint, options }: CardFrame): string {
  const name = formatHyperlink(title, url, options.links === true);
  return `  ${paint(tone === "accepted" ? "faint" : "red", name)}${badge === undefined ? "" : ` (${badge})`}`;
}

/** The address itself is the link, so that it opens even where the terminal's window breaks it. */
function formatLink({ url }: Card, { options: { links = false, width } }: CardFrame): readonly string[] {
  if (url === undefined) return [];
  const link = formatHyperlink(url, url, links);
  return link === url ? wrapText(`${INDENT}Link `, url, width) : [`${INDENT}Link ${link}`];
}

/** A few objects by name, each with its faults and commands, then the number of the others. */
function formatObjects(card: Card, frame: CardFrame): readonly string[] {
  const { objects = [], isLimited } = card;
  const limit = frame.medium === "wide" ? objects.length : MAX_OBJECTS;
  const named = objects.slice(0, limit).flatMap((object) => formatObject(object, card, frame));
  const more = objects.length - limit;
  if (more <= 0) return named;
  const others = formatCount(more, "more object");
  const text = isLimited ? `and at least ${others} (these with -o json)` : `and ${others} (all with -o json)`;
  return [...named, ...wrapText(LEAD, text, frame.options.width)];
}

/** Commands are never wrapped, so that they can be copied. */
function formatObject(object: ObjectEntry, card: Card, { medium, options: { width } }: CardFrame): readonly string[] {
  const isWide = medium === "wide";
  const { ref, details, commands, files } = object;
  const lines = [
    ...formatPlaces(object, toPlainText(card.text ?? ""), isWide, width),
    ...(isWide ? details : []).flatMap((line) => wrapText(DETAIL, line, width)),
    ...formatCommands(commands),
    ...formatFiles(files, DETAIL, width),
  ];
  return lines.length === 0 && !isWide ? [] : [...wrapText(LEAD, ref, width), ...lines];
}

function formatCommands(commands: readonly ObjectCommand[]): readonly string[] {
  const labels = commands.map(formatCommandLabel);
  const width = Math.max(...labels.map((label) => label.length)) + 2;
  return sortCommands(commands).map((command) => {
    return `${DETAIL}${formatCommandLabel(command).padEnd(width)}${toLine(command.text)}`;
  });
}

function formatPlaces({ places }: ObjectEntry, stated: string, isWide: boolean, width: number): readonly string[] {
  const own = places.filter(({ message }) => !isStated(message, stated));
  const limit = isWide ? own.length : MAX_PLACES;
  const more = own.length - limit;
  return [
    ...own.slice(0, limit).flatMap(({ path, message }) => {
      return wrapText(DETAIL, path === undefined ? message : `${path}: ${message}`, width);
    }),
    ...(more > 0 ? wrapText(DETAIL, `and ${formatCount(more, "more place")} in it (all with -o json)`, width) : []),
  ];
}

/** The text of a card with one object may repeat what its place says, with another first letter and end. */
function isStated(message: string, stated: string): boolean {
  const core = message.trim().slice(1).replace(/\.$/, "");
  return core.length > 0 && stated.includes(core);
}

/** Only what every terminal and browser takes as one address. */
const ADDRESS = /^https:\/\/[!-~]{1,2000}$/;

/** A text that opens an address when it is clicked (OSC 8); the text alone if links are off or the address is unusual. */
function formatHyperlink(text: string, address: string, links: boolean): string {
  const plain = toLine(text);
  return links && ADDRESS.test(address) ? `\u001b]8;;${address}\u001b\\${plain}\u001b]8;;\u001b\\` : plain;
}

/** "Name: what is wrong", and the next step. A command is never wrapped, so that it can be copied. */
export function formatBrief(brief: Brief, { paint, options }: CardFrame): readonly string[] {
  const { title, tone, text, next, files, url = "" } = brief;
  const name = toLine(title);
  const [first = "", ...others] = wrapText("", `${name}: ${text}`, options.width, "  ");
  const style = TONE_STYLES[tone];
  const linked = paint(style, formatHyperlink(title, url, options.links === true));
  const lead = first.startsWith(name) ? `${linked}${first.slice(name.length)}` : paint(style, first);
  return [lead, ...others, ...formatNextStep(next, options.width), ...formatFiles(files, "  ", options.width)];
}

function formatFiles(files: readonly string[], indent: string, width: number): readonly string[] {
  return files.flatMap((text) => wrapText(`${indent}File  `, text, width));
}

function formatNextStep({ label, text, isCommand }: NextStep, width: number): readonly string[] {
  const lead = `  ${label}  `;
  return isCommand ? [`${lead}${toLine(text)}`] : wrapText(lead, text, width);
}
