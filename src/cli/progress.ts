import type { ReadEnd } from "../runner/gather.ts";
import type { Io } from "./io.ts";

/** A line on stderr that tells how far the reads are, where a terminal shows it; `done` takes it away again. */
export function progress(io: Io): { readonly onRead: (end: ReadEnd) => void; readonly done: () => void } {
  if (!io.errIsTerminal) return { onRead: () => {}, done: () => {} };
  let [reads, objects] = [0, 0];
  const onRead = (end: ReadEnd): void => {
    reads += 1;
    objects += end.objects;
    io.err(`\r\u001b[2KReading the cluster: ${reads} reads, ${objects} objects`);
  };
  return { onRead, done: () => io.err("\r\u001b[2K") };
}
