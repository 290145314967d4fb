import { isBase64OrEmpty } from "../formats/codes.ts";

/** Blocks of a type, decoded as Go's encoding/pem does: text around them is ignored, and so is a block that is malformed. */
export function decodePem(text: string, type: string): readonly Buffer[] {
  const blocks: Buffer[] = [];
  let rest = text;
  for (;;) {
    const block = findBlock(rest);
    if (block === undefined) return blocks;
    if (block.type === type && !block.hasHeaders && block.data !== undefined) blocks.push(block.data);
    rest = block.rest;
  }
}

type Block = {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly data: Buffer | undefined;
  readonly rest: string;
};

const [BEGIN, END, DASHES] = ["-----BEGIN ", "\n-----END ", "-----"];

/** The next END line and the last BEGIN line before it; `data` is undefined if they enclose no block. */
function findBlock(text: string): Block | undefined {
  const end = text.indexOf(END);
  if (end < 0) return undefined;
  const rest = text.slice(end + END.length);
  const malformed: Block = { type: "", hasHeaders: false, data: undefined, rest };
  const begin = text.slice(0, end).lastIndexOf(BEGIN);
  if (begin < 0 || (begin > 0 && text[begin - 1] !== "\n")) return malformed;
  // An empty block has no line between its first and its last one.
  const [first = "", ...lines] = text.slice(begin + BEGIN.length, end).split("\n");
  const firstLine = trimLine(first);
  const type = firstLine.slice(0, -DASHES.length);
  if (!firstLine.endsWith(DASHES) || trimLine(rest.split("\n", 1)[0] ?? "") !== `${type}${DASHES}`) return malformed;
  const data = decodeBase64(lines.filter((line) => !line.includes(":")).join(""));
  return { type, hasHeaders: lines.some((line) => line.includes(":")), data, rest };
}

function trimLine(line: string): string {
  return line.replace(/\r$/, "").replace(/[ \t]+$/, "");
}

/** Undefined if the text is not padded base64 of the standard alphabet. */
function decodeBase64(text: string): Buffer | undefined {
  const plain = text.replaceAll(/[ \t\r\n]/g, "");
  return isBase64OrEmpty(plain) ? Buffer.from(plain, "base64") : undefined;
}
