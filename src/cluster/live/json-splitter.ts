const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** `next`: where in the chunk to go on after a whole value. */
export type SplitResult =
  | { readonly kind: "whole"; readonly text: string; readonly next: number }
  | { readonly kind: "more" }
  | { readonly kind: "tooLarge" };

/** Where a value is in the middle of: brackets that are open, a string, a backslash whose character is yet to come. */
type SplitterState = { depth: number; inString: boolean; escaped: boolean };

/**
 * Cuts one JSON value after the other out of a stream of chunks, by its brackets and quotes alone: whether it is JSON is for
 * JSON.parse to say. UTF-8 has no byte of a bracket or a quote inside a longer character, so bytes suffice.
 * `largest`: the most bytes that a value may have.
 */
export function createJsonSplitter(maxBytes: number): (chunk: Buffer, from: number) => SplitResult {
  const state: SplitterState = { depth: 0, inString: false, escaped: false };
  let parts: Buffer[] = [];
  let size = 0;

  return (chunk, from) => {
    const end = findValueEnd(chunk, from, state);
    const piece = chunk.subarray(from, end < 0 ? chunk.length : end);
    size += piece.length;
    if (size > maxBytes) return { kind: "tooLarge" };
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
function findValueEnd(chunk: Buffer, from: number, state: SplitterState): number {
  let depth = state.depth;
  let i = from;
  if (state.inString) {
    i = skipString(chunk, from, state);
    if (!state.inString && depth === 0) return i;
  }
  while (i < chunk.length) {
    const byte = chunk[i++];
    if (byte === QUOTE) {
      i = skipString(chunk, i, state);
      if (!state.inString && depth === 0) return i;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      depth++;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      if (depth <= 1) {
        state.depth = 0;
        return depth === 0 ? i - 1 : i;
      }
      depth--;
    } else if (depth === 0 && (byte === COMMA || isWhitespace(byte))) {
      return i - 1;
    }
  }
  state.depth = depth;
  return -1;
}

/** Where the string's closing quote is behind; the chunk's end, still in the string, where there is none. */
function skipString(chunk: Buffer, from: number, state: SplitterState): number {
  let i = state.escaped ? from + 1 : from;
  while (i < chunk.length) {
    const byte = chunk[i++];
    if (byte === QUOTE) {
      state.inString = state.escaped = false;
      return i;
    }
    if (byte === BACKSLASH) i++;
  }
  state.inString = true;
  state.escaped = i > chunk.length;
  return chunk.length;
}

export function isWhitespace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
