import assert from "node:assert/strict";

/** One or more of each kind of character that is not shown, by code point. */
const HIDDEN_POINTS = [
  // Controls: NUL, bell, backspace, tab, line feed in a word of its own below, escape, DEL, C1.
  0x00, 0x07, 0x08, 0x0b, 0x0c, 0x0d, 0x1b, 0x7f, 0x80, 0x85, 0x9b, 0x9d,
  // Soft hyphen, joiners, marks and overrides of direction, invisible operators, the byte order mark, annotations.
  0xad, 0x34f, 0x61c, 0x70f, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x202a, 0x202e, 0x2060, 0x2063, 0x2066,
  0x2069, 0xfeff, 0xfff9, 0xfffb,
  // Separators, lone surrogates, fillers, blanks.
  0x2028, 0x2029, 0xd800, 0xdfff, 0x115f, 0x1160, 0x17b4, 0x3164, 0xffa0, 0x2800,
  // Variation selectors, tags, private and unassigned characters.
  0xfe00, 0xfe0f, 0xe0100, 0xe01ef, 0xe0001, 0xe0041, 0xe007f, 0xe0fff, 0xe000, 0xf0000, 0xfffe, 0xffff, 0x1d173,
] as const;

/** All of them, a line of its own, and what outputs would obey: of a log, a spreadsheet, a page and a shell. */
export const HOSTILE = [
  ...HIDDEN_POINTS.map((point) => `<${String.fromCodePoint(point)}>`),
  "\t::add-mask::x",
  "##vso[task.setvariable variable=a]b",
  "=1+1",
  "@team",
  "https://evil.example/",
  "\n::error::injected",
].join(" ");

/** Fails if a text has a character that is not shown. Lines of CSV end with CR LF. */
export function assertVisible(text: string, where: string): void {
  const lines = text.replaceAll("\r\n", "\n");
  for (const character of lines)
    if (isHidden(character)) assert.fail(`${where} has U+${(character.codePointAt(0) ?? 0).toString(16)}`);
  assert.doesNotMatch(
    lines,
    /^[ \t]*::(?!(?:error|warning|notice) title=)/m,
    `${where} has a command to GitHub Actions`,
  );
  assert.doesNotMatch(lines, /##(?:vso)?\[/, `${where} has a command to Azure Pipelines`);
}

/** The same for each text and key in a parsed value. */
export function assertVisibleValue(value: unknown, where: string): void {
  if (typeof value === "string") assertVisible(value, where);
  if (typeof value !== "object" || value === null) return;
  for (const [key, one] of Object.entries(value)) {
    assertVisible(key, where);
    assertVisibleValue(one, `${where}.${key}`);
  }
}

function isHidden(character: string): boolean {
  const point = character.codePointAt(0) ?? 0;
  const isControl = (point < 0x20 && point !== 0x0a) || (point >= 0x7f && point < 0xa0);
  return isControl || HIDDEN_POINTS.some((one) => one === point) || (point >= 0xe0000 && point < 0xe1000);
}
