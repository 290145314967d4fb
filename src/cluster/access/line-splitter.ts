/**
 * Cuts lines out of a stream of chunks, without their ends; called without a chunk at the end, it gives what is left. Undefined where a
 * line has more than about `longest` bytes.
 */
export function createLineSplitter(maxBytes: number): (chunk: Buffer | undefined) => readonly string[] | undefined {
  const decoder = new TextDecoder();
  let rest = "";
  return (chunk) => {
    const lines = (rest + decoder.decode(chunk, { stream: chunk !== undefined })).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > maxBytes || lines.some((line) => line.length > maxBytes)) return undefined;
    if (chunk === undefined && rest !== "") lines.push(rest);
    return lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  };
}
