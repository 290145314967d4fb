import { defined } from "../../../model/optional.ts";
import type { CycleFailure } from "../../../model/report.ts";
import type { Child, StartChild } from "../../process/child.ts";
import type { ChildEnd } from "../../process/crash-report.ts";
import type { ChildMessage } from "../../process/messages.ts";
import { describeWorkerEnd } from "./worker-end.ts";
import type { ReachableCluster } from "./fleet-clusters.ts";

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
    try {
      for (;;) {
        const task = exitCode === undefined && !input.signal.aborted ? queue.shift() : undefined;
        if (task === undefined) return;
        input.onStart(task);
        worker = await checkTask(task, worker, input, (code) => (exitCode ??= code));
      }
    } finally {
      await worker?.child.finish();
    }
  };
  // What one process can't begin with, such as an unreadable target, none can: one of them says it.
  const first = queue.length > 0 ? await startWorker(input) : undefined;
  const count = (await first?.ready) ? Math.min(input.parallel, queue.length) : 1;
  await Promise.all(Array.from({ length: count }, (_, i) => work(i === 0 ? first : undefined)));
  if (exitCode !== undefined) return { kind: "exited", code: exitCode };
  return { kind: input.signal.aborted ? "stopped" : "done" };
}

/** Resolves with the process for the next cluster; undefined if it needs a new one. */
async function checkTask(
  task: ClusterTask,
  worker: Worker | undefined,
  input: PoolInput,
  exit: (code: number) => void,
): Promise<Worker | undefined> {
  const current = worker ?? (await startWorker(input));
  const isUsed = current.count() > 0;
  const answer = await current.check(task);
  switch (answer.kind) {
    case "stopped":
      return current;
    case "checked":
      await input.onEnd(task, toTaskEnd(answer));
      return current;
    case "late":
      current.child.kill();
      await input.onEnd(task, { kind: "failed", failure: describeLateness(input.clusterTimeout) });
      return undefined;
    case "ended":
      if (!answer.hasBegun && answer.end.kind === "exited") {
        exit(answer.end.code);
        return undefined;
      }
      if (isUsed) return checkTask(task, undefined, input, exit);
      await input.onEnd(task, { kind: "failed", failure: describeWorkerEnd(answer.end) });
      return undefined;
  }
}

function toTaskEnd({ warnings, problem, unreadImage }: Extract<Answer, { kind: "checked" }>): TaskEnd {
  if (problem === undefined) return { kind: "written", warnings, ...defined({ unreadImage }) };
  return { kind: "failed", failure: { reason: "RunnerCrashed", message: problem } };
}

function describeLateness(timeout: number): CycleFailure {
  const message = `The check took longer than ${timeout / 1_000} seconds and was ended: raise --cluster-timeout if the cluster is only slow.`;
  return { reason: "CycleTimedOut", message };
}

type Answer =
  | Extract<ChildMessage, { readonly kind: "checked" }>
  | { readonly kind: "ended"; readonly end: ChildEnd; readonly hasBegun: boolean }
  | { readonly kind: "late" | "stopped" };

type Worker = {
  readonly child: Child;
  /** Whether the process can check clusters; false if it ended before. */
  readonly ready: Promise<boolean>;
  /** The number of clusters that it was given. */
  readonly count: () => number;
  readonly check: (task: ClusterTask) => Promise<Answer>;
};

async function startWorker({ startChild, parallel, clusterTimeout, signal }: PoolInput): Promise<Worker> {
  const ready = Promise.withResolvers<boolean>();
  let [hasBegun, settle]: [boolean, (answer: Answer) => void] = [false, () => {}];
  const child = await startChild((message) => {
    if (message.kind === "checked") settle(message);
    if (message.kind !== "ready") return;
    hasBegun = true;
    ready.resolve(true);
  }, parallel);
  const ended = child.end.then((end): Answer => ({ kind: "ended", end, hasBegun }));
  void ended.then(() => ready.resolve(false));
  let count = 0;
  const check = async (task: ClusterTask): Promise<Answer> => {
    await ready.promise;
    count += 1;
    const checked = new Promise<Answer>((resolve) => (settle = resolve));
    child.send({ kind: "cluster", ...task });
    return Promise.race([checked, ended, waitForLimit(clusterTimeout, signal, checked)]);
  };
  return { child, ready: ready.promise, count: () => count, check };
}

/** "late" after the time, "stopped" at the signal; never after the answer, so that neither keeps this process alive. */
function waitForLimit(timeout: number, signal: AbortSignal, answered: Promise<unknown>): Promise<Answer> {
  return new Promise((resolve) => {
    const stop = (): void => resolve({ kind: "stopped" });
    const timer = setTimeout(() => resolve({ kind: "late" }), timeout);
    timer.unref();
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    void answered.then(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    });
  });
}
