import { judgeAcceptances, selectAcceptedNames } from "../../../format/view/acceptances.ts";
import { sideBySideFormats } from "../../../format/side-by-side/index.ts";
import type { TargetResult } from "../../../format/side-by-side/side-by-side.ts";
import type { Acceptance, CheckAcceptance, JudgedAcceptance } from "../../../model/acceptance.ts";
import { FailedError, UsageError, formatError } from "../../../model/errors.ts";
import { defined } from "../../../model/optional.ts";
import type { CycleResult } from "../../../model/report.ts";
import { redactText } from "../../../model/secrets/redact-text.ts";
import { runCycles } from "../../../runner/cycle.ts";
import { collectAcceptances, warnOfAcceptances, warnOfCheckAcceptances } from "../../session/acceptances.ts";
import { type ClusterSession, openCluster } from "../../client/connection.ts";
import type { CheckValues } from "./definition.ts";
import { getSideBySideExitCode } from "../../session/exit-code.ts";
import { addGraphOffer } from "../../target/target-offer.ts";
import { type CheckSelection, acceptLeftOut } from "../../checks/check-selection.ts";
import { type ChecksAndTarget, readChecksAndTarget } from "../../target/checks-and-target.ts";
import { namesRelease, readNamedRelease } from "../../target/named-release.ts";
import { parseReadLimits } from "../../settings/read-limits.ts";
import { printWarnings } from "../../target/target.ts";
import { type Io, hasColour } from "../../io/io.ts";
import { writeOutputFiles } from "../../io/output-files.ts";
import { combineJudgements } from "../../plan/acceptances.ts";
import { createProgress } from "../../session/progress.ts";
import { buildRunFacts } from "../../session/run-facts.ts";

/** Checks several targets with one read of the cluster and prints them side by side; resolves with the exit code. */
export async function runSideBySide(targets: readonly [CheckValues, ...CheckValues[]], io: Io): Promise<0 | 3 | 4> {
  const [values] = targets;
  requireFormats(values);
  if (values.quiet) throw new UsageError("--quiet is for one target: use -o json for several");
  if (values.crds !== undefined) throw new UsageError("--crds replaces the target release with CRDs: give one of them");
  const { config } = values;
  const cluster = await openCluster(values, io);
  try {
    const acceptances = collectAcceptances(values.accept, config?.accept);
    const results = await checkTargets(targets, acceptances, config?.acceptChecks ?? [], cluster, io);
    const observedAt = io.now();
    const run = buildRunFacts(values, observedAt, undefined, 0);
    const style = { colour: hasColour(io), width: io.width };
    await writeView({ targets: results, cluster: cluster.origin, run, observedAt, ...style }, values, io);
    return getSideBySideExitCode(results, values["fail-on"]);
  } finally {
    cluster.close();
  }
}

async function writeView(view: FullView, { output: { stdout, files } }: CheckValues, io: Io): Promise<void> {
  await writeOutputFiles(files, (format) => requireFormat(format)({ ...view, colour: false }));
  const write = view.colour ? io.outStyled : io.out;
  write(requireFormat(stdout)(view));
}

type FullView = Parameters<typeof sideBySideFormats.table>[0] & Parameters<typeof sideBySideFormats.json>[0];
type SideBySideFormat = (view: FullView) => string;

/** Before anything is read. */
function requireFormats({ output: { stdout, files } }: CheckValues): void {
  for (const name of [stdout, ...files.map(({ format }) => format)]) requireFormat(name);
}

function requireFormat(name: string): SideBySideFormat {
  const formats: Readonly<Partial<Record<string, SideBySideFormat>>> = sideBySideFormats;
  const format = formats[name];
  if (format !== undefined) return format;
  throw new UsageError(
    `-o ${name} is for one target: several can be written as ${Object.keys(formats).join(", ")}, or run check once for each`,
  );
}

async function checkTargets(
  targets: readonly CheckValues[],
  acceptances: readonly Acceptance[],
  checkAcceptances: readonly CheckAcceptance[],
  cluster: ClusterSession,
  io: Io,
): Promise<readonly TargetResult[]> {
  const [values] = targets;
  const inputs: ChecksAndTarget[] = [];
  for (const one of targets) {
    const input = namesRelease(one)
      ? await readNamedRelease(one, cluster, io)
      : await addGraphOffer(await readChecksAndTarget(one), one, cluster, io);
    printWarnings(input.target, io);
    inputs.push(input);
  }
  const [first] = inputs;
  if (values === undefined || first === undefined) return [];
  const selection = { checks: first.checks, leftOut: acceptLeftOut(first.leftOut, checkAcceptances) };
  const results = await readAndJudge(selection, inputs, values, cluster, io);
  const labels = buildLabels(targets, results);
  const judged = results.map((result) => judgeResult(result, acceptances));
  warn(results, judged, io);
  const reports = results.flatMap((result) => (result.kind === "completed" ? [result.report] : []));
  warnOfCheckAcceptances(checkAcceptances, reports, io);
  return results.map((result, i) => buildTargetResult(result, labels[i] ?? "", judged[i] ?? [], inputs[i]?.offer));
}

async function readAndJudge(
  selection: CheckSelection,
  inputs: readonly ChecksAndTarget[],
  values: CheckValues,
  cluster: ClusterSession,
  io: Io,
): Promise<readonly CycleResult[]> {
  const readLimits = parseReadLimits(values);
  const progress = createProgress(io, values.verbose);
  try {
    const results = await runCycles({
      ...selection,
      reader: cluster.reader,
      targets: inputs.map(({ target }) => target),
      now: cluster.observedAt ?? io.now(),
      signal: io.stopSignal,
      ...readLimits,
      operatorRisks: values.lifted,
      onRead: progress.onRead,
    });
    requireOneResult(results, io);
    return results;
  } finally {
    progress.done();
  }
}

/** If nothing was checked at all, the command failed: for one reason most often, such as an unreachable cluster. */
function requireOneResult(results: readonly CycleResult[], io: Io): void {
  if (io.stopSignal.aborted) throw new FailedError(formatError(io.stopSignal.reason));
  const failures = results.flatMap((result) => (result.kind === "failed" ? [result.failure.message] : []));
  if (failures.length === results.length) throw new FailedError([...new Set(failures)].join("; "));
}

/** The version, unless two targets have the same; then as the user names them. */
function buildLabels(targets: readonly CheckValues[], results: readonly CycleResult[]): readonly string[] {
  const given = targets.map((one) => one.to ?? one["to-image"] ?? one.target ?? one["target-version"] ?? "");
  const versions = results.map((result, i) => getVersion(result) ?? given[i] ?? "");
  return versions.map((text, i) =>
    versions.filter((other) => other === text).length > 1 && given[i] !== text ? `${text} (${given[i]})` : text,
  );
}

function getVersion(result: CycleResult): string | undefined {
  return result.kind === "completed" ? result.report.target.text : result.target?.text;
}

function judgeResult(result: CycleResult, acceptances: readonly Acceptance[]): readonly JudgedAcceptance[] {
  return result.kind === "completed" ? judgeAcceptances(acceptances, result.report) : [];
}

function warn(results: readonly CycleResult[], judged: readonly (readonly JudgedAcceptance[])[], io: Io): void {
  const risks = results.flatMap((result) => (result.kind === "completed" ? result.report.risks : []));
  warnOfAcceptances(combineJudgements(judged), { risks }, io);
}

function buildTargetResult(
  result: CycleResult,
  label: string,
  judged: readonly JudgedAcceptance[],
  offer: ChecksAndTarget["offer"],
): TargetResult {
  const common = { label, ...defined({ offer }) };
  if (result.kind === "failed") return { ...common, kind: "notChecked", message: redactText(result.failure.message) };
  return { ...common, kind: "checked", report: result.report, accepted: selectAcceptedNames(judged) };
}
