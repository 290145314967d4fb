const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** `next`: where in the chunk to go on after a whole value. */
export type Taken =
  | { readonly kind: "whole"; readonly text: string; readonly next: number }
  | { readonly kind: "more" }
  | { readonly kind: "tooLarge" };

/** Where a value is in the middle of: brackets that are open, a string, a backslash whose character is yet to come. */
type Place = { depth: number; inString: boolean; escaped: boolean };

/**
 * Cuts one JSON value after the other out of a stream of chunks, by its brackets and quotes alone: whether it is JSON is for
 * JSON.parse to say. UTF-8 has no byte of a bracket or a quote inside a longer character, so bytes suffice.
 * `largest`: the most bytes that a value may have.
 */
export function valueTaker(largest: number): (chunk: Buffer, from: number) => Taken {
  const place: Place = { depth: 0, inString: false, escaped: false };
  let parts: Buffer[] = [];
  let size = 0;

  return (chunk, from) => {
    const end = findEnd(chunk, from, place);
    const piece = chunk.subarray(from, end < 0 ? chunk.length : end);
    size += piece.length;
    if (size > largest) return { kind: "tooLarge" };
    if (end < 0) {
      parts.push(piece);
      return { kind: "more" };
    }
    const text = parts.length === 0 ? piece.toString("utf8") : Buffer.concat([...parts, piece]).toString("utf8");
    [parts, size] = [[], 0];
    return { kind: "whole", text, next: end };
  };
}

/** Where the value ends, or -1 if not in this chunk. Here all bytes of a cluster pass: hence the local variables. */
function findEnd(chunk: Buffer, from: number, place: Place): number {
  let depth = place.depth;
  let i = from;
  if (place.inString) {
    i = pastString(chunk, from, place);
    if (!place.inString && depth === 0) return i;
  }
  while (i < chunk.length) {
    const byte = chunk[i++];
    if (byte === QUOTE) {
      i = pastString(chunk, i, place);
      if (!place.inString && depth === 0) return i;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      depth++;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      if (depth <= 1) {
        place.depth = 0;
        return depth === 0 ? i - 1 : i;
      }
      depth--;
    } else if (depth === 0 && (byte === COMMA || isSpace(byte))) {
      return i - 1;
    }
  }
  place.depth = depth;
  return -1;
}

/** Where the string's closing quote is behind; the chunk's end, still in the string, where there is none. */
function pastString(chunk: Buffer, from: number, place: Place): number {
  let i = place.escaped ? from + 1 : from;
  while (i < chunk.length) {
    const byte = chunk[i++];
    if (byte === QUOTE) {
      place.inString = place.escaped = false;
      return i;
    }
    if (byte === BACKSLASH) i++;
  }
  place.inString = true;
  place.escaped = i > chunk.length;
  return chunk.length;
}

export function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
