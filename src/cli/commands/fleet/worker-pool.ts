import type { CycleFailure } from "../../../model/report.ts";
import type { StartChild } from "../../process/child.ts";
import { type ChildWords, describeChildEnd } from "../../process/child-end.ts";
import { type Answer, startWorker, type Worker } from "../../process/cycle-child.ts";
import type { ReachableCluster } from "../../process/messages.ts";

export type ClusterTask = { readonly cluster: ReachableCluster; readonly file: string };

/** How the check of one cluster ended: `written` by its process, or with a failure that the caller has to write. */
export type TaskEnd =
  | { readonly kind: "written"; readonly warnings: readonly string[]; readonly unreadImage?: string }
  | { readonly kind: "failed"; readonly failure: CycleFailure };

export type PoolInput = {
  readonly startChild: StartChild;
  readonly tasks: readonly ClusterTask[];
  readonly parallel: number;
  /** Milliseconds for one cluster. */
  readonly clusterTimeout: number;
  readonly onStart: (task: ClusterTask) => void;
  readonly onEnd: (task: ClusterTask, end: TaskEnd) => Promise<void>;
  readonly signal: AbortSignal;
};

/** The exit code of a child that could not begin: it has said why on stderr. */
export type PoolEnd = { readonly kind: "done" | "stopped" } | { readonly kind: "exited"; readonly code: number };

/**
 * Checks clusters in a few child processes, each of which checks many and is replaced if it dies. A cluster whose process died or hangs has
 * failed and the others have not; but if the process had checked others before, the cluster gets a second try in a new one.
 */
export async function runPool(input: PoolInput): Promise<PoolEnd> {
  const queue = [...input.tasks];
  let exitCode: number | undefined;
  const work = async (first?: Worker): Promise<void> => {
    let worker = first;
    let isUsed = false;
    try {
      for (;;) {
        const task = exitCode === undefined && !input.signal.aborted ? queue.shift() : undefined;
        if (task === undefined) return;
        input.onStart(task);
        worker = await checkTask(task, { worker, isUsed }, input, (code) => (exitCode ??= code));
        isUsed = true;
      }
    } finally {
      await worker?.child.finish();
    }
  };
  // What one process can't begin with, such as an unreadable target, none can: one of them says it.
  const first = queue.length > 0 ? await start(input) : undefined;
  const count = (await first?.ready)?.kind === "ready" ? Math.min(input.parallel, queue.length) : 1;
  await Promise.all(Array.from({ length: count }, (_, i) => work(i === 0 ? first : undefined)));
  if (exitCode !== undefined) return { kind: "exited", code: exitCode };
  return { kind: input.signal.aborted ? "stopped" : "done" };
}

function start({ startChild, parallel, signal }: PoolInput): Promise<Worker> {
  return startWorker({ startChild, siblings: parallel, signal });
}

/** Resolves with the process for the next cluster; undefined if it needs a new one. `isUsed`: the given one has checked others before. */
async function checkTask(
  task: ClusterTask,
  given: { readonly worker: Worker | undefined; readonly isUsed: boolean },
  input: PoolInput,
  exit: (code: number) => void,
): Promise<Worker | undefined> {
  const worker = given.worker ?? (await start(input));
  const first = await worker.ready;
  const answer = first.kind === "ready" ? await worker.ask({ kind: "cluster", ...task }, input.clusterTimeout) : first;
  if (answer.kind === "checked") {
    await input.onEnd(task, toTaskEnd(answer));
    return worker;
  }
  const fail = (failure: CycleFailure): Promise<void> => input.onEnd(task, { kind: "failed", failure });
  if (answer.kind === "late") {
    worker.child.kill();
    await fail(describeLateness(input.clusterTimeout));
    return undefined;
  }
  if (answer.kind !== "ended") return worker;
  if (answer === first && answer.end.kind === "exited") exit(answer.end.code);
  else if (given.worker !== undefined && given.isUsed) return checkTask(task, NEW_WORKER, input, exit);
  else await fail(describeChildEnd(answer.end, WORDS));
  return undefined;
}

const NEW_WORKER = { worker: undefined, isUsed: false };

function toTaskEnd({ warnings, problem, unreadImage }: Extract<Answer, { kind: "checked" }>): TaskEnd {
  if (problem === undefined) return { kind: "written", warnings, unreadImage };
  return { kind: "failed", failure: { reason: "RunnerCrashed", message: problem } };
}

function describeLateness(timeout: number): CycleFailure {
  const message = `The check took longer than ${timeout / 1_000} seconds and was ended: raise --cluster-timeout if the cluster is only slow.`;
  return { reason: "CycleTimedOut", message };
}

const WORDS: ChildWords = {
  work: "check",
  process: "The process",
  log: "stderr",
  describeMoreHeap: (option) => `Check fewer clusters at a time (--parallel), or raise the limit with ${option}.`,
  moreMemory: "Check fewer clusters at a time (--parallel), or use a machine with more memory.",
};
