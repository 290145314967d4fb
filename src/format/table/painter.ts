/** Puts a colour around a word or a line; leaves it alone where no colour is wanted. */
export type Painter = { readonly [style in keyof typeof CODES]: (text: string) => string };

/** Select Graphic Rendition, ECMA-48: only the eight colours that every theme shows readably. */
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
