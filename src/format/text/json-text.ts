import { toVisible } from "../../model/visible-text.ts";

/**
 * A value as JSON text: two spaces of indentation, a line break at the end. Texts are made visible in the value itself, since a parser
 * turns what JSON escapes back.
 */
export function formatJsonText(value: object): string {
  return `${JSON.stringify(toVisible(value), undefined, 2)}\n`;
}
