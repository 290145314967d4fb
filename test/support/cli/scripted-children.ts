import type { StartChild } from "../../../src/cli/process/child.ts";
import type { ChildEnd } from "../../../src/cli/process/child-end.ts";
import type { ChildMessage, ParentMessage } from "../../../src/cli/process/messages.ts";

/** What a child does: first at its start, then for each cycle. */
export type Step = ChildMessage | { readonly kind: "ended"; readonly end: ChildEnd } | { readonly kind: "silent" };

/** Starts children that each follow a script, and counts them. */
export function createChildren(scripts: readonly (readonly Step[])[]) {
  const log = { started: 0, killed: 0, reads: 0 };
  const sent: ParentMessage[] = [];
  const startChild: StartChild = (onMessage) => {
    const steps = [...(scripts[log.started++] ?? [])];
    const end = Promise.withResolvers<ChildEnd>();
    const next = (): void => {
      const step = steps.shift() ?? { kind: "silent" };
      if (step.kind === "ended") end.resolve(step.end);
      else if (step.kind !== "silent") onMessage(step);
      if (step.kind === "progress" || (step.kind === "result" && steps[0]?.kind === "ended")) next();
    };
    setImmediate(next);
    return Promise.resolve({
      send: (message) => {
        sent.push(message);
        setImmediate(next);
      },
      kill: () => void (log.killed += 1),
      finish: () => Promise.resolve(),
      end: end.promise,
    });
  };
  return { startChild, log, sent };
}

export function ended(end: ChildEnd): Step {
  return { kind: "ended", end };
}

export const READY: ChildMessage = { kind: "ready", target: undefined };
export const JUDGED: ChildMessage = { kind: "judged", updates: [] };
export const OUT_OF_MEMORY = ended({ kind: "outOfMemory", heapMib: 192 });

export function begin(...checks: readonly string[]): ChildMessage {
  return { kind: "progress", events: [{ kind: "begin", checks }] };
}

/** What a parent asks of a child. */
export function describeSent(message: ParentMessage): string {
  if (message.kind === "separate") return `alone ${message.check}`;
  if (message.kind !== "cycle") return message.kind;
  const results = [...message.separate].map(([id, { kind }]) => `${id} ${kind}`);
  return results.length === 0 ? "all" : `all with ${results.join(" and ")}`;
}
