/**
 * A document of a file: where its text begins, and the line and the column there, from 1. `shifts`: of its lines, from 0, how many characters
 * the file does not have before them.
 */
export type DocumentText = {
  readonly text: string;
  readonly start: number;
  readonly line: number;
  readonly column: number;
  readonly shifts?: ReadonlyMap<number, number>;
};

const MARKER = /(?:^|\n)(?:---|\.\.\.)(?=[ \t\r\n]|$)/g;
/** A line of a document without anything in it: a comment, a directive, a marker. */
const EMPTY = /^(?:\s*(?:#.*)?|%.*|(?:---|\.\.\.)\s*(?:\s#.*)?)$/;

/**
 * Cuts a text as kubectl does, so that a fault in one document hides no other one. What stands before a document and is empty belongs to it.
 */
export function splitDocuments(text: string): readonly DocumentText[] {
  const documents: DocumentText[] = [];
  let start = 0;
  let line = 1;
  const add = (end: number): void => {
    const part = text.slice(start, end);
    if (isEmpty(part)) return;
    documents.push({ text: part, start, line, column: 1 });
    line += countLines(part);
    start = end;
  };
  for (const match of text.matchAll(MARKER)) add(match.index + Number(match[0].startsWith("\n")));
  add(text.length);
  return documents;
}

function isEmpty(text: string): boolean {
  return text.split("\n").every((line) => EMPTY.test(line));
}

export function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

/** Cuts a text at the end of each outermost brace: JSON objects one after the other, as jq writes them. */
export function splitJson(text: string): readonly DocumentText[] {
  const documents: DocumentText[] = [];
  let depth = 0;
  let start = text.search(/\S|$/);
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\\n]|\\.)*"|[{}]/g)) {
    if (token === "{") depth += 1;
    if (token === "}") depth -= 1;
    if (token !== "}" || depth !== 0) continue;
    documents.push(placeText(text, start, index + 1));
    start = index + 1 + text.slice(index + 1).search(/\S|$/);
  }
  return start === text.length ? documents : [...documents, placeText(text, start, text.length)];
}

function placeText(text: string, start: number, end: number): DocumentText {
  const before = text.slice(0, start);
  return {
    text: text.slice(start, end),
    start,
    line: countLines(before) + 1,
    column: start - before.lastIndexOf("\n"),
  };
}
