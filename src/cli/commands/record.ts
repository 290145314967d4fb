import { FailedError } from "../../model/errors.ts";
import { runCycle } from "../../runner/cycle.ts";
import { openLiveCluster } from "../client/connection.ts";
import type { RecordValues } from "../definitions/record.ts";
import { readChecksAndTarget } from "../inputs/checks-and-target.ts";
import type { Io } from "../io.ts";
import { createProgress } from "../progress.ts";
import { parseReadLimits } from "../inputs/read-limits.ts";

/** Records what the checks read for a target, with secrets redacted, so that `check --recorded` gives the same result elsewhere. */
export async function run(values: RecordValues, io: Io): Promise<number> {
  const folder = values.output;
  const readLimits = parseReadLimits(values);
  const { checks, target } = await readChecksAndTarget(values);
  if (target.kind === "failed") throw new FailedError(target.failure.message);
  const { createRecordingReader, writeRecording } = await import("../../cluster/recorded/recording.ts");
  const cluster = await openLiveCluster(values, io);
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
  io.err(`Recorded ${recording.size} reads in ${folder}. Review them before you share them.\n`);
  return 0;
}
