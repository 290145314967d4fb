/** Adds a colour to a word or a line, if colours are enabled. */
export type Painter = { readonly [style in keyof typeof CODES]: (text: string) => string };

/** Select Graphic Rendition, ECMA-48: only styles that are readable in every theme. */
const CODES = { bold: "1", faint: "2", red: "31", green: "32", yellow: "33" } as const;

export function createPainter(colour: boolean): Painter {
  const style = (code: string) => (text: string) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  return {
    bold: style(CODES.bold),
    faint: style(CODES.faint),
    red: style(CODES.red),
    green: style(CODES.green),
    yellow: style(CODES.yellow),
  };
}
