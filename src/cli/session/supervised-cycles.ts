import type { CyclesInput } from "../../runner/cycle.ts";
import { isolateCheck, leaveOutSeparate } from "../../runner/separate.ts";
import type { Io } from "../io/io.ts";
import type { ParentMessage } from "../process/messages.ts";
import type { Parent } from "../process/parent.ts";
import { createProgressSender } from "../process/progress-sender.ts";
import type { ReleaseValues } from "../target-release/checks-and-target.ts";

type CycleBase = Omit<CyclesInput, "targets">;

export type AskedCycles<Result> = {
  /** When the objects were read, if that is past. */
  readonly session: { readonly observedAt?: Date };
  readonly cycle: CycleBase;
  readonly run: (cycle: CycleBase) => Promise<Result>;
};

/** Runs the cycles of a command as its supervisor asks: with all checks, or with one, whose results are for the supervisor alone. */
export async function runAsAsked<Result>(supervisor: Parent, asked: AskedCycles<Result>): Promise<Result> {
  const { session, cycle, run } = asked;
  const message = await receiveTask(supervisor);
  const progress = createProgressSender(supervisor);
  const onRead: CyclesInput["onRead"] = (stats) => {
    progress.onRead(stats);
    cycle.onRead?.(stats);
  };
  if (message.kind === "cycle") {
    // What others have judged, they have read before.
    const now = message.separate.size === 0 ? cycle.now : (session.observedAt ?? message.observedAt);
    return run({ ...cycle, now, onRead, isolation: leaveOutSeparate(message.separate, progress.onBegin) });
  }
  const isolation = isolateCheck(message.check, progress.onBegin);
  await run({ ...cycle, now: session.observedAt ?? message.observedAt, onRead, isolation });
  supervisor.send({ kind: "judged", updates: isolation.updates });
  // The supervisor ends this process, so that nothing is printed.
  return new Promise(() => {});
}

type Task = Extract<ParentMessage, { readonly kind: "cycle" | "separate" }>;

function receiveTask(supervisor: Parent): Promise<Task> {
  return new Promise((resolve) => {
    supervisor.onMessage((message) => {
      if (message.kind === "cycle" || message.kind === "separate") resolve(message);
    });
    supervisor.send({ kind: "ready", target: undefined });
  });
}

/** stdin can be read once, so a command that has read it can't run again. */
export function findSupervisor({ crds }: Pick<ReleaseValues, "crds">, { parent }: Pick<Io, "parent">): Io["parent"] {
  return crds === "-" ? undefined : parent;
}
