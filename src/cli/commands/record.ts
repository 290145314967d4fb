import { stat } from "node:fs/promises";
import { join } from "node:path";
import { FailedError } from "../../model/errors.ts";
import type { Reader } from "../../model/reader.ts";
import type { CycleResult, Report } from "../../model/report.ts";
import { runCycle } from "../../runner/cycle.ts";
import { openLiveCluster } from "../client/connection.ts";
import type { RecordValues } from "../definitions/record.ts";
import { readChecksAndTarget } from "../inputs/checks-and-target.ts";
import type { Io } from "../io.ts";
import { createProgress } from "../progress.ts";
import { parseReadLimits } from "../inputs/read-limits.ts";
import { listDifferentVerdicts } from "../report-comparison.ts";

/** Records what the checks read for a target, with secrets redacted, so that `check --recorded` gives the same result elsewhere. */
export async function run(values: RecordValues, io: Io): Promise<number> {
  const folder = values["dest-dir"];
  const readLimits = parseReadLimits(values);
  const { checks, target } = await readChecksAndTarget(values);
  if (target.kind === "failed") throw new FailedError(target.failure.message);
  const { createRecordingReader, writeRecording } = await import("../../cluster/recorded/recording.ts");
  const cluster = await openLiveCluster(values, io);
  const progress = createProgress(io, values.verbose);
  const recording = new Map<string, readonly string[]>();
  const now = io.now();
  const judge = (reader: Reader): Promise<CycleResult> =>
    runCycle({ checks, reader, target, now, signal: io.stopSignal, ...readLimits, onRead: progress.onRead });
  const report = await requireReport(judge(createRecordingReader(cluster.reader, recording))).finally(() => {
    progress.done();
    cluster.close();
  });
  await writeRecording(recording, folder);
  io.err(`Recorded ${recording.size} reads in ${folder}. Review them before you share them.\n`);
  recording.clear();
  io.err(await compareWithRecording(report, folder, judge).finally(progress.done));
  return 0;
}

async function requireReport(cycle: Promise<CycleResult>): Promise<Report> {
  const result = await cycle;
  if (result.kind === "failed") throw new FailedError(result.failure.message);
  return result.report;
}

/** A recording is read at once, and needs several times its size in memory. */
const MAX_COMPARED_BYTES = 16 << 20;

/** Redaction may remove a value that decides: runs the checks on the recording, and says which of them differ. */
async function compareWithRecording(
  report: Report,
  folder: string,
  judge: (reader: Reader) => Promise<CycleResult>,
): Promise<string> {
  const { createRecordedReader, RECORDING_FILE } = await import("../../cluster/recorded/recorded-reader.ts");
  const { size } = await stat(join(folder, RECORDING_FILE));
  if (size > MAX_COMPARED_BYTES)
    return `The recording has more than ${MAX_COMPARED_BYTES >> 20} MiB, so its result was not compared with the cluster's.\n`;
  const different = listDifferentVerdicts(report, await requireReport(judge(await createRecordedReader(folder))));
  return different
    .map((id) => `On the recording, the result of ${id} differs from the cluster's: a redacted value decides it.\n`)
    .join("");
}
