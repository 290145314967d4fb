import { lstat } from "node:fs/promises";
import { formatCount } from "../../../model/text.ts";
import { formatAge } from "../../../model/time.ts";
import { type FleetCluster, type FleetContext, parseClusterResult } from "../../../format/fleet/cluster.ts";
import { FailedError, formatError } from "../../../model/errors.ts";
import type { LoadedFleetValues } from "./definition.ts";
import type { Io } from "../../io/io.ts";
import { toLine } from "../../../model/visible-text.ts";
import { writeFailure } from "./cluster-check.ts";
import type { ReachableCluster } from "../../process/messages.ts";
import type { ListedCluster } from "./fleet-clusters.ts";
import { findResultText, readClusterResult, buildResultOrigin, getResultPath, isReusable } from "./results.ts";
import { openImageCache } from "../../settings/release-settings.ts";
import { isImageCached } from "../../target-release/image-target.ts";
import { namesRelease } from "../../target-release/checks-and-target.ts";
import { type ClusterTask, type PoolEnd, runPool, type TaskEnd } from "./worker-pool.ts";

type FleetRun =
  | { readonly kind: "done"; readonly clusters: readonly FleetCluster[] }
  | { readonly kind: "exited"; readonly code: number };

const DEFAULT_RESULTS = "preflight-fleet";

/** What a run of a fleet is given. */
export type FleetRunInput = { readonly values: LoadedFleetValues; readonly context: FleetContext; readonly io: Io };

/** Checks the clusters whose results are missing or too old, and reads the results of all. */
export async function runFleet(listed: readonly ListedCluster[], input: FleetRunInput): Promise<FleetRun> {
  const { values, context, io } = input;
  const clusters = new Map<string, FleetCluster>();
  const tasks: ClusterTask[] = [];
  const folder = values.results ?? (await getDefaultFolder());
  let reusedCount = 0;
  for (const one of listed) {
    const file = getResultPath(folder, one.name);
    if (one.kind === "unusable") {
      const cluster = { name: one.name, context: "" };
      await writeFailure({ reason: "KubeconfigUnreadable", message: one.message }, { cluster, file }, values, io);
      clusters.set(one.name, await readClusterResult(one.name, file, context));
      continue;
    }
    const { kind: _kind, ...cluster } = one;
    const reused = await findReusable(cluster, file, input);
    if (reused) {
      clusters.set(one.name, reused);
      reusedCount += 1;
    } else tasks.push({ cluster, file });
  }
  if (tasks.length > 0 && namesRelease(values)) await openImageCache(io);
  sayWhatIsReused(reusedCount, listed.length, context.maxAge, io);
  const code = await checkAll(tasks, input, (cluster) => clusters.set(cluster.name, cluster));
  return code === undefined ? { kind: "done", clusters: [...clusters.values()] } : { kind: "exited", code };
}

/** A link in a checkout of others would lead the results into another folder. */
async function getDefaultFolder(): Promise<string> {
  const stats = await lstat(DEFAULT_RESULTS).catch(() => undefined);
  if (stats?.isSymbolicLink() !== true) return DEFAULT_RESULTS;
  throw new FailedError(`${DEFAULT_RESULTS} is a symbolic link: name the folder for the results with --results`);
}

/** None of a folder that nobody named: in a checkout of others, it may be theirs. */
async function findReusable(
  cluster: ReachableCluster,
  file: string,
  { values, context }: FleetRunInput,
): Promise<FleetCluster | undefined> {
  if (values.results === undefined) return undefined;
  const text = await findResultText(file);
  const origin = buildResultOrigin(cluster, values);
  if (text === undefined || !isReusable(text, origin, context.maxAge, context.now)) return undefined;
  return { ...(await parseClusterResult(cluster.name, text, context)), file };
}

function sayWhatIsReused(reused: number, all: number, maxAge: number, io: Io): void {
  if (reused === 0) return;
  io.err(
    `preflight: ${formatCount(reused, "result")} of ${all} ${reused === 1 ? "is" : "are"} not older than ${formatAge(maxAge)} and used again: read every cluster with --max-age 0\n`,
  );
}

/** Resolves with an exit code if no process could begin. Throws a FailedError if it was stopped. */
async function checkAll(
  tasks: readonly ClusterTask[],
  input: FleetRunInput,
  add: (cluster: FleetCluster) => void,
): Promise<number | undefined> {
  const { values, context, io } = input;
  const progress = createFleetProgress(tasks.length, io);
  const unread: UnreadTask[] = [];
  const runTasks = (some: readonly ClusterTask[]): Promise<PoolEnd> =>
    runPool({
      startChild: io.startChild,
      tasks: some,
      parallel: values.parallel,
      clusterTimeout: values["cluster-timeout"],
      signal: io.stopSignal,
      onStart: ({ cluster }) => progress.start(cluster.name),
      onEnd: async (task, taskEnd) => {
        await settle(task, taskEnd, progress, input);
        const result = await readClusterResult(task.cluster.name, task.file, context);
        progress.end(task.cluster.name, result.verdict === "failed");
        if (values.verbose) progress.print(`${toLine(`${task.cluster.name}: ${result.verdict}`)}\n`);
        add(result);
        if (taskEnd.kind === "written" && taskEnd.unreadImage !== undefined)
          unread.push({ ...task, image: taskEnd.unreadImage });
      },
    });
  try {
    const first = await runTasks(tasks);
    const again = first.kind === "done" ? await selectCached(unread, input) : [];
    progress.repeat(again.length);
    const end = again.length === 0 ? first : await runTasks(again);
    if (end.kind === "stopped")
      throw new FailedError(`${formatError(io.stopSignal.reason)}: ${describeGoingOn(values)}`);
    return end.kind === "exited" ? end.code : undefined;
  } finally {
    progress.done();
  }
}

function describeGoingOn({ results }: LoadedFleetValues): string {
  return results === undefined
    ? `add --results ${DEFAULT_RESULTS} to go on with the rest`
    : "run the same command again to go on with the rest";
}

/** A cluster whose registries did not deliver its image. */
type UnreadTask = ClusterTask & { readonly image: string };

/** A digest names the same content everywhere: a cluster needs no registry for what another one's has delivered since. */
async function selectCached(
  unread: readonly UnreadTask[],
  { values, io }: FleetRunInput,
): Promise<readonly ClusterTask[]> {
  const isCached = new Map<string, boolean>();
  for (const image of new Set(unread.map((task) => task.image)))
    isCached.set(image, await isImageCached(image, values, io));
  return unread.flatMap(({ image, ...task }) => (isCached.get(image) === true ? [task] : []));
}

async function settle(
  { cluster, file }: ClusterTask,
  end: TaskEnd,
  progress: FleetProgress,
  { values, io }: FleetRunInput,
): Promise<void> {
  if (end.kind === "failed") return writeFailure(end.failure, { cluster, file }, values, io);
  for (const warning of end.warnings) progress.print(`${toLine(`${cluster.name}: ${warning.trimEnd()}`)}\n`);
}

/** Shows on stderr, if that is a terminal, how many clusters are done and which are under way, and for how long. */
type FleetProgress = {
  readonly start: (name: string) => void;
  readonly end: (name: string, isFailed: boolean) => void;
  /** Some that failed are checked again. */
  readonly repeat: (failures: number) => void;
  /** Clears the line, prints others and draws it again. */
  readonly print: (text: string) => void;
  readonly done: () => void;
};

const REDRAW_MS = 1_000;
const MAX_WIDTH = 120;

function createFleetProgress(total: number, io: Io): FleetProgress {
  const running = new Map<string, number>();
  const clock = () => io.now().getTime();
  let finished = 0;
  let failed = 0;
  const draw = (): void => {
    if (io.isErrTerminal) io.progress(formatProgress({ running, finished, failed, total }, clock(), io.width));
  };
  const timer = io.isErrTerminal ? setInterval(draw, REDRAW_MS) : undefined;
  timer?.unref();
  return {
    start(name) {
      running.set(name, clock());
      draw();
    },
    end(name, isFailed) {
      running.delete(name);
      finished += 1;
      if (isFailed) failed += 1;
      draw();
    },
    repeat(failures) {
      finished -= failures;
      failed -= failures;
    },
    print(text) {
      if (io.isErrTerminal) io.progress("");
      io.err(text);
      draw();
    },
    done() {
      clearInterval(timer);
      if (io.isErrTerminal) io.progress("");
    },
  };
}

type State = {
  readonly running: ReadonlyMap<string, number>;
  readonly finished: number;
  readonly failed: number;
  readonly total: number;
};

/** "37 of 40 clusters checked, 2 failed; checking prod-1 (12s), lab" */
export function formatProgress({ running, finished, failed, total }: State, now: number, width: number): string {
  const lead = `${finished} of ${formatCount(total, "cluster")} checked${failed > 0 ? `, ${failed} failed` : ""}`;
  const names = [...running].map(([name, start]) => {
    const seconds = Math.floor((now - start) / 1_000);
    return seconds < 2 ? name : `${name} (${seconds}s)`;
  });
  const line = names.length === 0 ? lead : `${lead}; checking ${names.join(", ")}`;
  const room = Math.min(width, MAX_WIDTH) - 1;
  return line.length > room ? `${line.slice(0, room - 1)}…` : line;
}
