import type { ImageProgress } from "../../release/image/image-options.ts";
import type { Io } from "./io.ts";

const BAR_WIDTH = 20;

/** Shows the progress of a release image's layers on stderr if it is a terminal; `done` clears the line. */
export function createImageProgress(io: Io): {
  readonly onProgress: (progress: ImageProgress) => void;
  readonly done: () => void;
} {
  if (!io.isErrTerminal) return { onProgress: () => {}, done: () => {} };
  let shown = "";
  const onProgress = (progress: ImageProgress): void => {
    const line = formatImageProgress(progress);
    if (line !== shown) io.progress(line);
    shown = line;
  };
  return { onProgress, done: () => io.progress("") };
}

/** "Reading the release image, layer 2: [######--------------] 9.3 of 31.0 MiB" */
export function formatImageProgress({ layer, receivedBytes, totalBytes }: ImageProgress): string {
  const filled = Math.floor((BAR_WIDTH * receivedBytes) / Math.max(totalBytes, 1));
  const bar = "#".repeat(filled).padEnd(BAR_WIDTH, "-");
  return `Reading the release image, layer ${layer}: [${bar}] ${formatMebibytes(receivedBytes)} of ${formatMebibytes(totalBytes)} MiB`;
}

function formatMebibytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1);
}
