import type { Tone, PageVerdict } from "./page.ts";
import { countCharacters } from "../../model/text.ts";
import { toLine } from "../../model/visible-text.ts";

type Style = keyof typeof STYLE_CODES;
/** Gives a word or a line a style, if colours are enabled. */
export type Painter = (style: Style, text: string) => string;

/** Select Graphic Rendition, ECMA-48: only styles that are readable in every theme. */
export const STYLE_CODES = {
  bold: "1",
  faint: "2",
  red: "31",
  green: "32",
  yellow: "33",
  magenta: "35",
  cyan: "36",
  alarm: "1;31",
  doubt: "1;33",
  good: "1;32",
} as const;

export function createPainter(colour: boolean): Painter {
  return (style, text) => (colour ? `\u001b[${STYLE_CODES[style]}m${text}\u001b[0m` : text);
}

/** What a page comes to. */
export const VERDICT_STYLES: Readonly<Record<PageVerdict, Style>> = {
  risk: "alarm",
  incomplete: "doubt",
  nothing: "bold",
  clear: "good",
};

/** What something does to the update. */
export const TONE_STYLES: Readonly<Record<Tone, Style>> = {
  refused: "red",
  notRecommended: "cyan",
  stuck: "magenta",
  broken: "yellow",
  unknown: "bold",
  accepted: "faint",
};

/** Narrower text is unreadable, so lines are never shorter than this, whatever width is requested. */
export const MIN_WIDTH = 40;

/**
 * Wraps a text to `width` columns: the first line begins with `lead`, the others with `indent`, which by default is as wide.
 * A word longer than a line (a path, a URL) is never cut.
 */
export function wrapText(lead: string, text: string, width: number, indent?: string): readonly string[] {
  const room = Math.max(width, MIN_WIDTH);
  const start = toLine(lead);
  const hang = indent ?? " ".repeat(countCharacters(start));
  const lines: string[] = [];
  let line = start;
  let isEmpty = true;
  for (const word of toLine(text).split(" ").filter(Boolean)) {
    if (!isEmpty && countCharacters(line) + 1 + countCharacters(word) > room) {
      lines.push(line);
      [line, isEmpty] = [hang, true];
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line.trimEnd()];
}
