import { FailedError, UsageError } from "../../model/errors.ts";
import { runCycle } from "../../runner/cycle.ts";
import type { Arguments } from "../command-line/arguments.ts";
import { readChecksAndTarget } from "../inputs/checks-and-target.ts";
import type { Io } from "../io.ts";
import { createProgress } from "../progress.ts";
import { openCluster, parseReadLimits } from "../inputs/cycle-inputs.ts";

/** Records what the checks read for a target, secrets redacted, so that `check --recorded` gives the same result elsewhere. */
export async function record(args: Arguments, io: Io): Promise<number> {
  const folder = args.text("output");
  if (folder === undefined) throw new UsageError("give the folder to write to with --output DIR");
  const readLimits = parseReadLimits(args);
  const { checks, target } = await readChecksAndTarget(args);
  if (target.kind === "failed") throw new FailedError(target.failure.message);
  const { createRecordingReader, writeRecording } = await import("../../cluster/recorded/recording.ts");
  const cluster = await openCluster(args, io);
  const progress = createProgress(io);
  const recording = new Map<string, readonly string[]>();
  try {
    const reader = createRecordingReader(cluster.reader, recording);
    const result = await runCycle({
      checks,
      reader,
      target,
      now: io.now(),
      signal: io.stopSignal,
      ...readLimits,
      onRead: progress.onRead,
    });
    if (result.kind === "failed") throw new FailedError(result.failure.message);
  } finally {
    progress.done();
    cluster.close();
  }
  await writeRecording(recording, folder);
  io.err(`Recorded ${recording.size} reads in ${folder}. Look through them before you hand them on.\n`);
  return 0;
}
