/** Quotes foreign text inside a sentence: on one line, without its final period, cut after `maxCharacters`. */
export function quote(text: string, maxCharacters: number): string {
  const characters = [...text.trim().replaceAll(/\s+/g, " ").replace(/\.$/, "")];
  return characters.length <= maxCharacters
    ? characters.join("")
    : `${characters.slice(0, maxCharacters).join("").trimEnd()}...`;
}

/** The same within quotation marks; those in the text become apostrophes. */
export function quoteText(text: string, maxCharacters: number): string {
  return `"${quote(text, maxCharacters).replaceAll('"', "'")}"`;
}
