import { formatDocument, buildDocument } from "../../format/document.ts";
import { formats } from "../../format/index.ts";
import { formatQuiet } from "../../format/quiet.ts";
import type { Check } from "../../model/check.ts";
import { formatError, FailedError, UsageError } from "../../model/errors.ts";
import type { Reader } from "../../model/reader.ts";
import type { CycleResult, Report } from "../../model/report.ts";
import { runCycle } from "../../runner/cycle.ts";
import { readChecksAndTarget } from "../inputs/checks-and-target.ts";
import { type ClusterSession, openCluster } from "../client/connection.ts";
import type { CheckValues } from "../definitions/check.ts";
import { getCheckExitCode } from "../exit-code.ts";
import { type Io, hasColour } from "../io.ts";
import { createProgress } from "../progress.ts";
import { describeUnknownName, listCheckRiskNames } from "../risk-names.ts";
import { toLine } from "../terminal-text.ts";
import { parseChecks } from "../inputs/check-selection.ts";
import { readImageTarget } from "../inputs/image-target.ts";
import { type ReadLimits, parseReadLimits } from "../inputs/read-limits.ts";
import type { TargetWithWarnings } from "../inputs/target.ts";
import { buildRunFacts } from "../run-facts.ts";

/** Runs the checks once and prints the result; resolves with the exit code. */
export async function run(values: CheckValues, io: Io): Promise<number> {
  const result = await runOneCycle(values, io);
  if (result.kind === "failed") return printFailure(result, values, io);
  const accepted = selectAccepted(values, result.report);
  warnOfUnknownNames(values.accept, result.report, io);
  const write = hasColour(io) ? io.outStyled : io.out;
  write(formatReport(result.report, accepted, values, io));
  return getCheckExitCode(result.report, accepted, values["fail-on"]);
}

async function runOneCycle(values: CheckValues, io: Io): Promise<CycleResult> {
  const readLimits = parseReadLimits(values);
  const image = values["to-image"];
  if (image !== undefined) return checkImage(image, values, readLimits, io);
  const { checks, target } = await readChecksAndTarget(values);
  printWarnings(target, io);
  if (target.kind === "failed") return { kind: "failed", failure: target.failure, observedAt: io.now() };
  return withCluster(values, io, ({ reader }) => judgeTarget({ checks, target, reader, readLimits }, values, io));
}

/** The image may have to come from a mirror that the cluster names, so the cluster is opened first. */
async function checkImage(image: string, values: CheckValues, readLimits: ReadLimits, io: Io): Promise<CycleResult> {
  const conflicting = IMAGE_CONFLICTS.find((flag) => values[flag] !== undefined);
  if (conflicting !== undefined) throw new UsageError(`--to-image names the target release: remove --${conflicting}`);
  const checks = parseChecks(values);
  return withCluster(values, io, async (cluster) => {
    const target = await readImageTarget(image, values, cluster, io);
    printWarnings(target, io);
    return judgeTarget({ checks, target, reader: cluster.reader, readLimits }, values, io);
  });
}

const IMAGE_CONFLICTS = ["target", "target-version", "release-image", "crds"] as const;

function printWarnings({ warnings = [] }: TargetWithWarnings, io: Io): void {
  for (const why of warnings) io.err(`preflight: skipped: ${toLine(why)}\n`);
}

async function withCluster(
  values: CheckValues,
  io: Io,
  use: (cluster: ClusterSession) => Promise<CycleResult>,
): Promise<CycleResult> {
  const cluster = await openCluster(values, io);
  try {
    return await use(cluster);
  } finally {
    cluster.close();
  }
}

type Judged = {
  readonly checks: readonly Check[];
  readonly target: TargetWithWarnings;
  readonly reader: Reader;
  readonly readLimits: ReadLimits;
};

async function judgeTarget(
  { checks, target, reader, readLimits }: Judged,
  values: CheckValues,
  io: Io,
): Promise<CycleResult> {
  if (target.kind === "failed") return { kind: "failed", failure: target.failure, observedAt: io.now() };
  const progress = createProgress(io);
  try {
    return await runCycle({
      checks,
      reader,
      target,
      now: io.now(),
      signal: io.stopSignal,
      ...readLimits,
      operatorRisks: values.lifted,
      onRead: progress.onRead,
    });
  } finally {
    progress.done();
  }
}

function printFailure(result: Extract<CycleResult, { kind: "failed" }>, values: CheckValues, io: Io): number {
  if (io.stopSignal.aborted) throw new FailedError(formatError(io.stopSignal.reason));
  if (values.output !== "table" && !values.quiet) {
    const run = buildRunFacts(values, io.now(), result.target?.text, 0);
    io.out(formatDocument(buildDocument({ result, run })));
  }
  io.err(`preflight: ${toLine(result.failure.message)}\n`);
  return 1;
}

function formatReport(report: Report, accepted: ReadonlySet<string>, values: CheckValues, io: Io): string {
  const document = buildDocument({
    result: { kind: "completed", report },
    run: buildRunFacts(values, io.now(), report.target.text, 0),
  });
  const view = { report, document, accepted, colour: hasColour(io), width: io.width };
  return values.quiet ? formatQuiet(view) : formats[values.output](view);
}

/** A known risk that this run did not find is normal; a name that no risk has is probably misspelt. */
function warnOfUnknownNames(accept: readonly string[], { risks }: Report, io: Io): void {
  const known = [...listCheckRiskNames(), ...risks.map(({ name }) => name)];
  for (const name of accept.filter((one) => !known.includes(one)))
    io.err(`preflight: --accept: ${toLine(describeUnknownName(name, known))}\n`);
}

/** Only names of risks that this run found count as accepted. */
function selectAccepted(values: CheckValues, report: Report): ReadonlySet<string> {
  return new Set(values.accept.filter((name) => report.risks.some((risk) => risk.name === name)));
}
