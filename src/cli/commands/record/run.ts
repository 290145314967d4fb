import { stat } from "node:fs/promises";
import { join } from "node:path";
import { checks as registry } from "../../../checks/index.ts";
import { formatCount } from "../../../model/count.ts";
import { FailedError } from "../../../model/errors.ts";
import type { Reader } from "../../../model/reader.ts";
import type { CycleResult, Report } from "../../../model/report.ts";
import { runCycle } from "../../../runner/cycle.ts";
import { type ClusterSession, openLiveCluster } from "../../client/connection.ts";
import type { RecordValues } from "./definition.ts";
import { addGraphOffer } from "../../target/target-offer.ts";
import { type ChecksAndTarget, readChecksAndTarget } from "../../target/checks-and-target.ts";
import { namesRelease, readNamedRelease } from "../../target/named-release.ts";
import type { Io } from "../../io/io.ts";
import { listKeptAnnotations } from "./kept-annotations.ts";
import { createProgress } from "../../session/progress.ts";
import { parseReadLimits } from "../../settings/read-limits.ts";
import { listDifferentVerdicts } from "./report-comparison.ts";

/** Records what the checks read for a target, with secrets redacted, so that `check --recorded` gives the same result elsewhere. */
export async function run(values: RecordValues, io: Io): Promise<0> {
  const given = namesRelease(values) ? undefined : await readGivenTarget(values);
  const cluster = await openLiveCluster(values, io);
  const progress = createProgress(io, values.verbose);
  try {
    await recordCluster(given, { values, io, cluster, progress });
  } finally {
    progress.done();
    cluster.close();
  }
  return 0;
}

/** Throws before any cluster is read. */
async function readGivenTarget(values: RecordValues): Promise<ChecksAndTarget> {
  const given = await readChecksAndTarget(values);
  if (given.target.kind === "failed") throw new FailedError(given.target.failure.message);
  return given;
}

type RecordedRun = {
  readonly values: RecordValues;
  readonly io: Io;
  readonly cluster: ClusterSession;
  readonly progress: ReturnType<typeof createProgress>;
};

/** Without a given target, what leads to the release that the values name is recorded, too. */
async function recordCluster(
  given: ChecksAndTarget | undefined,
  { values, io, cluster, progress }: RecordedRun,
): Promise<void> {
  const { createRecordingReader, writeRecording } = await import("../../../cluster/recorded/recording.ts");
  const [folder, now] = [values["dest-dir"], io.now()];
  const recording = new Map<string, readonly string[]>();
  const reader = createRecordingReader(cluster.reader, recording, listKeptAnnotations(registry));
  // Without listConfigMaps, since a recording has none: the signatures are read as they will be from it.
  const { listConfigMaps: _listConfigMaps, ...others } = cluster;
  const session = { ...others, reader };
  const { checks, target } = given
    ? await addGraphOffer(given, values, session, io)
    : await readNamedRelease(values, session, io);
  const limits = parseReadLimits(values);
  const judge = (from: Reader): Promise<CycleResult> =>
    runCycle({ checks, reader: from, target, now, signal: io.stopSignal, ...limits, onRead: progress.onRead });
  const report = await requireReport(judge(reader));
  progress.done();
  await writeRecording(recording, folder);
  io.err(`Recorded ${formatCount(recording.size, "read")} in ${folder}. Review the folder before you share it.\n`);
  recording.clear();
  io.err(await compareWithRecording(report, folder, judge).finally(progress.done));
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
  const { createRecordedReader, RECORDING_FILE } = await import("../../../cluster/recorded/recorded-reader.ts");
  const { size } = await stat(join(folder, RECORDING_FILE));
  if (size > MAX_COMPARED_BYTES)
    return `The recording has more than ${MAX_COMPARED_BYTES >> 20} MiB, so its result was not compared with the cluster's.\n`;
  const different = listDifferentVerdicts(report, await requireReport(judge(await createRecordedReader(folder))));
  return different
    .map((id) => `On the recording, the result of ${id} differs from the cluster's: a redacted value decides it.\n`)
    .join("");
}
