import type { Tone, PageVerdict } from "./page.ts";

/** Adds a colour to a word or a line, if colours are enabled. */
export type Painter = { readonly [style in keyof typeof STYLE_CODES]: (text: string) => string };

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
  const style = (code: string) => (text: string) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  return {
    bold: style(STYLE_CODES.bold),
    faint: style(STYLE_CODES.faint),
    red: style(STYLE_CODES.red),
    green: style(STYLE_CODES.green),
    yellow: style(STYLE_CODES.yellow),
    magenta: style(STYLE_CODES.magenta),
    cyan: style(STYLE_CODES.cyan),
    alarm: style(STYLE_CODES.alarm),
    doubt: style(STYLE_CODES.doubt),
    good: style(STYLE_CODES.good),
  };
}

type Paint = Painter[keyof Painter];

/** What a page comes to. */
export function getVerdictPaint(verdict: PageVerdict, { alarm, doubt, good, bold }: Painter): Paint {
  const paints: Readonly<Record<PageVerdict, Paint>> = { risk: alarm, incomplete: doubt, nothing: bold, clear: good };
  return paints[verdict];
}

/** What something does to the update. */
export function getTonePaint(tone: Tone, { red, magenta, yellow, cyan, bold, faint }: Painter): Paint {
  const paints: Readonly<Record<Tone, Paint>> = {
    refused: red,
    notRecommended: cyan,
    stuck: magenta,
    broken: yellow,
    unknown: bold,
    accepted: faint,
  };
  return paints[tone];
}
