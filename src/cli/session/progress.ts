import { formatCount } from "../../model/count.ts";
import type { ReadStats } from "../../runner/gather.ts";
import type { Io } from "../io/io.ts";

/** Shows the progress of the reads on stderr if it is a terminal and --verbose does not write there; `done` clears the line. */
export function createProgress(
  io: Io,
  isVerbose = false,
): { readonly onRead: (end: ReadStats) => void; readonly done: () => void } {
  if (!io.isErrTerminal || isVerbose) return { onRead: () => {}, done: () => {} };
  let [reads, objects] = [0, 0];
  const onRead = (end: ReadStats): void => {
    reads += 1;
    objects += end.objects;
    io.progress(`Reading the cluster: ${formatCount(reads, "read")}, ${formatCount(objects, "object")}`);
  };
  return { onRead, done: () => io.progress("") };
}
