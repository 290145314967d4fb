import { isBase64OrEmpty } from "../../openapi/formats/codes.ts";

const [BEGIN, END, DASHES] = ["-----BEGIN ", "\n-----END ", "-----"];

/** Blocks of a type, decoded as Go's encoding/pem does: text around them is ignored, and so is a block that is malformed. */
export function decodePem(text: string, type: string): readonly Buffer[] {
  const parts = text.split(END);
  return parts.slice(0, -1).flatMap((part, i) => decodeBlock(part, parts[i + 1] ?? "", `${type}${DASHES}`) ?? []);
}

/** The block from the last BEGIN line of a text up to an END line, which `rest` continues; undefined if it has headers or is malformed. */
function decodeBlock(text: string, rest: string, label: string): Buffer | undefined {
  const begin = text.lastIndexOf(BEGIN);
  if (begin < 0 || (begin > 0 && text[begin - 1] !== "\n")) return undefined;
  // An empty block has no line between its first and its last one.
  const [first = "", ...lines] = text.slice(begin + BEGIN.length).split("\n");
  const hasLabels = [first, rest.split("\n", 1)[0] ?? ""].every((line) => line.replace(/[ \t]*\r?$/, "") === label);
  const plain = lines.join("").replaceAll(/[ \t\r\n]/g, "");
  return hasLabels && isBase64OrEmpty(plain) ? Buffer.from(plain, "base64") : undefined;
}
