import type { Absence, ReadFailure, Reader } from "../../model/reader.ts";

/** The text at a path of the API server, such as "/version". */
export async function readText(
  path: string,
  reader: Pick<Reader, "raw">,
  signal: AbortSignal,
): Promise<{ readonly kind: "read"; readonly text: string } | Absence | ReadFailure> {
  const lines: string[] = [];
  // An answer that broke off begins anew.
  const begin = () => {
    lines.length = 0;
    return (line: string): boolean => lines.push(line) > 0;
  };
  const read = await reader.raw(path, begin, signal);
  return read.kind === "read" ? { kind: "read", text: lines.join("\n") } : read;
}
