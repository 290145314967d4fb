import type { CycleBase } from "../../runner/cycle.ts";
import type { CycleProgress } from "../../runner/gather/gathering.ts";
import { isolateCheck, leaveOutSeparate } from "../../runner/isolation.ts";
import type { ClusterSession } from "../client/connection.ts";
import type { Io } from "../io/io.ts";
import type { ParentMessage } from "../process/messages.ts";
import type { Parent } from "../process/parent.ts";
import { createProgressSender } from "../process/progress-sender.ts";
import type { ReleaseValues } from "../target-release/checks-and-target.ts";

export type AskedCycles<Result> = {
  readonly session: Pick<ClusterSession, "io" | "observedAt">;
  readonly cycle: CycleBase;
  readonly run: (cycle: CycleBase) => Promise<Result>;
};

/** Runs the cycles of a command as its supervisor asks: with all checks, or with one, whose results are for the supervisor alone. */
export async function runAsAsked<Result>(supervisor: Parent, asked: AskedCycles<Result>): Promise<Result> {
  const { session, cycle, run } = asked;
  const { task, stopped } = receiveTask(supervisor);
  const message = await task;
  const { onBegin, onRead } = createProgressSender(supervisor);
  const progress: CycleProgress = {
    onBegin,
    onRead: (stats) => {
      onRead(stats);
      cycle.progress?.onRead?.(stats);
    },
  };
  if (message.kind === "cycle") {
    // What others have judged, they have read before.
    const now = message.separate.size === 0 ? cycle.now : (session.observedAt ?? message.observedAt);
    return run({ ...cycle, now, progress, isolation: leaveOutSeparate(message.separate) });
  }
  const { isolation, updates } = isolateCheck(message.check);
  await run({ ...cycle, now: session.observedAt ?? message.observedAt, progress, isolation });
  supervisor.send({ kind: "judged", updates });
  session.io.exit((await stopped).exitCode);
  return new Promise(() => {});
}

type Task = Extract<ParentMessage, { readonly kind: "cycle" | "separate" }>;
type Stop = Extract<ParentMessage, { readonly kind: "stop" }>;

function receiveTask(supervisor: Parent): { readonly task: Promise<Task>; readonly stopped: Promise<Stop> } {
  const task = Promise.withResolvers<Task>();
  const stopped = Promise.withResolvers<Stop>();
  supervisor.onMessage((message) => {
    if (message.kind === "cycle" || message.kind === "separate") task.resolve(message);
    if (message.kind === "stop") stopped.resolve(message);
  });
  supervisor.send({ kind: "ready", target: undefined });
  return { task: task.promise, stopped: stopped.promise };
}

/** stdin can be read once, so a command that has read it can't run again. */
export function findSupervisor({ crds }: Pick<ReleaseValues, "crds">, { parent }: Pick<Io, "parent">): Io["parent"] {
  return crds === "-" ? undefined : parent;
}
