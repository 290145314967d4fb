import process from "node:process";
import { isatty } from "node:tty";
import { isChild } from "./child-flags.ts";
import { type ChildMessage, type ParentMessage, type ProgressEvent, isParentMessage } from "./messages.ts";
import type { ReadStats } from "../../runner/gather/gather.ts";
import type { OnBegin } from "../../runner/plan/check-code.ts";

/** The process that started this one to do its work. */
export type Parent = {
  readonly send: (message: ChildMessage) => void;
  /** Keeps this process alive for messages until `release`. */
  readonly onMessage: (listener: (message: ParentMessage) => void) => void;
  readonly onStop: (listener: (stop: StopMessage) => void) => void;
  readonly release: () => void;
  /** Whether the parent's stderr is a terminal; this process's goes through the parent. */
  readonly isErrTerminal: boolean;
};

type StopMessage = Extract<ParentMessage, { readonly kind: "stop" }>;

/** The file by which the parent lends its stderr. */
const PARENT_STDERR = 4;

/** Undefined if this process is not a child. A child ends with its parent. */
export function findParent(): Parent | undefined {
  const { channel } = process;
  if (!isChild() || channel === undefined) return undefined;
  process.once("disconnect", () => process.exit());
  const listen = (listener: (message: ParentMessage) => void): void => {
    process.on("message", (message) => {
      if (isParentMessage(message)) listener(message);
    });
  };
  const onMessage = (listener: (message: ParentMessage) => void): void => {
    listen(listener);
    channel?.ref();
  };
  const onStop = (listener: (stop: StopMessage) => void): void => {
    listen((message) => {
      if (message.kind === "stop") listener(message);
    });
    channel?.unref();
  };
  return {
    send: (message) => void process.send?.(message, undefined, {}, () => {}),
    onMessage,
    onStop,
    release: () => channel?.unref(),
    isErrTerminal: isatty(PARENT_STDERR),
  };
}

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
