/**
 * Cuts a stream of chunks into lines, without their ends. The last call has no chunk and returns the rest. Returns undefined if a line
 * has more than about `maxBytes` bytes.
 */
export function createLineSplitter(maxBytes: number): (chunk: Uint8Array | undefined) => readonly string[] | undefined {
  const decoder = new TextDecoder();
  let rest = "";
  return (chunk) => {
    // Only the chunk is searched, since a long line may come in many of them.
    const lines = decoder.decode(chunk, { stream: chunk !== undefined }).split("\n");
    lines[0] = rest + (lines[0] ?? "");
    rest = lines.pop() ?? "";
    if (rest.length > maxBytes || lines.some((line) => line.length > maxBytes)) return undefined;
    if (chunk === undefined && rest !== "") lines.push(rest);
    return lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  };
}
