import { stat } from "node:fs/promises";
import { join } from "node:path";
import { formatCount } from "../../model/text.ts";
import { FailedError } from "../../model/errors.ts";
import type { Report, CheckReport, Outcome } from "../../model/report.ts";
import { type ClusterSession, withSession } from "../client/connection.ts";
import { openHostedCluster } from "../client/hosted-cluster.ts";
import type { Io } from "../io/io.ts";
import { judgeTarget } from "../session/session.ts";
import { type ChecksAndTarget, completeTarget, requireGivenTarget } from "../target-release/checks-and-target.ts";
import { type CheckSetValues, listKnownChecks, withCheckSet } from "../checks/check-set.ts";
import { CRD_RESOURCE, CUSTOM_KIND_ANNOTATIONS } from "../../model/custom-kind.ts";
import { eachMetadata, withAnnotations } from "../../model/read.ts";
import type { RecordValues } from "./definitions.ts";
import type { Finding } from "../../model/check.ts";
import { getReads } from "../checks/cluster-role.ts";
import { formatRef } from "../../model/resource.ts";

/** Records what the checks read for a target, with secrets redacted, so that `check --recorded` gives the same result elsewhere. */
export async function run(given: RecordValues, io: Io): Promise<0> {
  const values = await withCheckSet(given, io);
  const target = await requireGivenTarget(values);
  await withSession(values, io, (session) => recordCluster(target, session));
  return 0;
}

/** Whose the kinds are that vendors' checks read. */
const customKindsRead = withAnnotations(
  CUSTOM_KIND_ANNOTATIONS,
  eachMetadata(CRD_RESOURCE, () => undefined),
);

/** Without a given target, what leads to the release that the values name is recorded, too. */
async function recordCluster(
  given: ChecksAndTarget | undefined,
  cluster: ClusterSession<RecordValues & CheckSetValues>,
): Promise<void> {
  const { createRecordingReader, writeRecording } = await import("../../cluster/recorded/recording.ts");
  // Without the list, which a recording has not: the signatures are read as they will be from it.
  const { listSignatures: _listSignatures, ...others } = cluster;
  const { values, io } = cluster;
  const recording = new Map<string, readonly string[]>();
  const reader = createRecordingReader(cluster.reader, recording, () => [
    ...listKnownChecks(values.checkSet).flatMap(getReads),
    customKindsRead,
  ]);
  const session = { ...others, reader, observedAt: io.now() };
  const target = await completeTarget(given, session);
  const report = await judge(session, target);
  const folder = values["dest-dir"];
  await writeRecording(recording, folder);
  io.err(`Recorded ${formatCount(recording.size, "read")} in ${folder}. Review the folder before you share it.\n`);
  recording.clear();
  io.err(await compareWithRecording(report, target, session));
}

async function judge(session: ClusterSession<RecordValues & CheckSetValues>, target: ChecksAndTarget): Promise<Report> {
  const result = await judgeTarget(session, target);
  if (result.kind === "failed") throw new FailedError(result.failure.message);
  return result.report;
}

/** A recording is read at once, and needs several times its size in memory. */
const MAX_COMPARED_BYTES = 16 << 20;

/** Redaction may remove a value that decides: runs the checks on the recording, and says which of them differ. */
async function compareWithRecording(
  report: Report,
  target: ChecksAndTarget,
  session: ClusterSession<RecordValues & CheckSetValues>,
): Promise<string> {
  const { createRecordedReader, RECORDING_FILE } = await import("../../cluster/recorded/recorded-reader.ts");
  const folder = session.values["dest-dir"];
  const { size } = await stat(join(folder, RECORDING_FILE));
  if (size > MAX_COMPARED_BYTES)
    return `The recording has more than ${MAX_COMPARED_BYTES >> 20} MiB, so its result was not compared with the cluster's.\n`;
  const whole = await createRecordedReader(folder);
  const { "hosted-cluster": hosted } = session.values;
  const reader = hosted === undefined ? whole : await openHostedCluster(hosted, whole, session.io.stopSignal);
  const recorded = await judge({ ...session, reader }, target);
  return listDifferentVerdicts(report, recorded)
    .map((id) => `On the recording, the result of ${id} differs from the cluster's: a redacted value decides it.\n`)
    .join("");
}

/** The ids of checks whose verdict differs between two reports: another outcome, or other objects. Texts may differ. */
export function listDifferentVerdicts(one: Report, other: Report): readonly string[] {
  const verdicts = new Map(other.checks.map((check) => [check.id, formatVerdict(check)]));
  return one.checks.filter((check) => verdicts.get(check.id) !== formatVerdict(check)).map(({ id }) => id);
}

function formatVerdict({ outcome }: CheckReport): string {
  return [outcome.kind, ...listParts(outcome)].join("\n");
}

function listParts(outcome: Outcome): readonly string[] {
  if (outcome.kind === "risk") return outcome.findings.map(formatFinding);
  if (outcome.kind !== "unknown") return [];
  return [...outcome.findings.map(formatFinding), ...outcome.unknowns.map(({ reason, where }) => `${reason} ${where}`)];
}

function formatFinding({ risk, object, path }: Finding): string {
  return `${risk} ${object.apiVersion} ${formatRef(object)} ${path ?? ""}`;
}
