import process from "node:process";
import type { ReadStats } from "../../runner/gather/gather.ts";
import type { OnBegin } from "../../runner/plan/check-code.ts";
import type { Parent } from "./parent.ts";
import type { ProgressEvent } from "./messages.ts";

/**
 * Sends a cycle's progress before the process waits for anything, or runs the code of a check: it may not come back. Many reads begin and
 * end in between, so that one message has them all.
 */
export function createProgressSender(parent: Pick<Parent, "send">): {
  readonly onBegin: OnBegin;
  readonly onRead: (stats: ReadStats) => void;
} {
  let events: ProgressEvent[] = [];
  const flush = (): void => {
    if (events.length > 0) parent.send({ kind: "progress", events });
    events = [];
  };
  const add = (event: ProgressEvent): void => {
    if (events.length === 0) process.nextTick(flush);
    events.push(event);
  };
  return {
    onBegin: (checks, path) => {
      add({ kind: "begin", checks, path });
      if (path === undefined) flush();
    },
    onRead: (stats) => add({ kind: "read", stats }),
  };
}
