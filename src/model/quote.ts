/** Somebody else's text within a sentence: on one line, without its last period, cut at so many characters. */
export function quote(text: string, maxCharacters: number): string {
  const characters = [...text.trim().replaceAll(/\s+/g, " ").replace(/\.$/, "")];
  return characters.length <= maxCharacters
    ? characters.join("")
    : `${characters.slice(0, maxCharacters).join("").trimEnd()}...`;
}
