import type { ProgressEvent } from "../../process/messages.ts";

/** What a process did when it ended: the checks that it ran at that moment, and all that it had begun with. */
export type LastWork = { readonly running: readonly string[]; readonly begun: readonly string[] };

/** Follows what a process says of its work. */
export type WorkTracker = {
  readonly onProgress: (event: ProgressEvent) => void;
  readonly lastWork: () => LastWork;
};

export function createWorkTracker(): WorkTracker {
  const reading = new Map<string, readonly string[]>();
  const begun = new Set<string>();
  let judging: readonly string[] = [];
  return {
    onProgress: (event) => {
      if (event.kind === "read") return void reading.delete(event.stats.path);
      if (event.kind !== "begin") return;
      const { checks, path } = event;
      for (const id of checks) begun.add(id);
      if (path !== undefined) reading.set(path, checks);
      judging = path === undefined ? checks : [];
    },
    lastWork: () => ({
      running: [...new Set([...reading.values(), judging].flat())].toSorted(),
      begun: [...begun].toSorted(),
    }),
  };
}
