import { FailedError, UsageError } from "../../model/errors.ts";
import { runCycle } from "../../runner/cycle.ts";
import type { Arguments } from "../arguments.ts";
import { questionOf } from "../crds.ts";
import type { Io } from "../io.ts";
import { progress } from "../progress.ts";
import { openCluster, readingOf } from "../session.ts";

/** Records what the checks read for a target, secrets redacted, so that `check --recorded` gives the same result elsewhere. */
export async function record(args: Arguments, io: Io): Promise<number> {
  const folder = args.text("output");
  if (folder === undefined) throw new UsageError("give the folder to write to with --output DIR");
  const reading = readingOf(args);
  const { checks, target } = await questionOf(args);
  if (target.kind === "failed") throw new FailedError(target.failure.message);
  const { recordingReader, writeRecording } = await import("../../cluster/recording.ts");
  const cluster = await openCluster(args, io);
  const shown = progress(io);
  const recording = new Map<string, readonly string[]>();
  try {
    const reader = recordingReader(cluster.reader, recording);
    const result = await runCycle({
      checks,
      reader,
      target,
      now: io.now(),
      signal: io.stop,
      ...reading,
      onRead: shown.onRead,
    });
    if (result.kind === "failed") throw new FailedError(result.failure.message);
  } finally {
    shown.done();
    cluster.close();
  }
  await writeRecording(recording, folder);
  io.err(`Recorded ${recording.size} reads in ${folder}. Look through them before you hand them on.\n`);
  return 0;
}
