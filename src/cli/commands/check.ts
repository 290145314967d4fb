import { formatDocument, buildDocument } from "../../format/document.ts";
import { formats } from "../../format/index.ts";
import { formatQuiet } from "../../format/quiet.ts";
import type { Check } from "../../model/check.ts";
import { formatError, FailedError } from "../../model/errors.ts";
import type { Reader } from "../../model/reader.ts";
import type { CycleResult, Report } from "../../model/report.ts";
import { defined } from "../../model/optional.ts";
import type { TargetOffer } from "../../model/route.ts";
import { type CycleTarget, runCycle } from "../../runner/cycle.ts";
import { readChecksAndTarget } from "../inputs/checks-and-target.ts";
import { namesRelease, readNamedRelease } from "../inputs/named-release.ts";
import { openCluster } from "../client/connection.ts";
import type { CheckValues } from "../definitions/check.ts";
import { getCheckExitCode } from "../exit-code.ts";
import { type Io, hasColour } from "../io.ts";
import { createProgress } from "../progress.ts";
import { describeUnknownName, listCheckRiskNames } from "../risk-names.ts";
import { toLine } from "../terminal-text.ts";
import { type ReadLimits, parseReadLimits } from "../inputs/read-limits.ts";
import type { TargetWithWarnings } from "../inputs/target.ts";
import { buildRunFacts } from "../run-facts.ts";

/** Runs the checks once and prints the result; resolves with the exit code. */
export async function run(values: CheckValues, io: Io): Promise<number> {
  const { result, offer } = await runOneCycle(values, io);
  if (result.kind === "failed") return printFailure(result, values, io);
  const accepted = selectAccepted(values, result.report);
  warnOfUnknownNames(values.accept, result.report, io);
  const write = hasColour(io) ? io.outStyled : io.out;
  write(formatReport(result.report, accepted, offer, values, io));
  return getCheckExitCode(result.report, accepted, values["fail-on"]);
}

type CheckRun = { readonly result: CycleResult; readonly offer?: TargetOffer };

async function runOneCycle(values: CheckValues, io: Io): Promise<CheckRun> {
  const readLimits = parseReadLimits(values);
  // A version or an image is looked up by way of the cluster; any other target is read first, so that a mistake in it needs no cluster.
  const given = namesRelease(values) ? undefined : await readChecksAndTarget(values);
  if (given !== undefined) printWarnings(given.target, io);
  if (given?.target.kind === "failed") return { result: buildFailure(given.target, io) };
  const cluster = await openCluster(values, io);
  try {
    const { checks, target, offer } = given ?? (await readNamedRelease(values, cluster.reader, io));
    if (given === undefined) printWarnings(target, io);
    const result = await judgeTarget({ checks, target, reader: cluster.reader, readLimits }, values, io);
    return { result, ...defined({ offer }) };
  } finally {
    cluster.close();
  }
}

function printWarnings({ warnings = [] }: TargetWithWarnings, io: Io): void {
  for (const why of warnings) io.err(`preflight: skipped: ${toLine(why)}\n`);
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
  if (target.kind === "failed") return buildFailure(target, io);
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

function buildFailure({ failure }: Extract<CycleTarget, { kind: "failed" }>, io: Io): CycleResult {
  return { kind: "failed", failure, observedAt: io.now() };
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

function formatReport(
  report: Report,
  accepted: ReadonlySet<string>,
  offer: TargetOffer | undefined,
  values: CheckValues,
  io: Io,
): string {
  const document = buildDocument({
    result: { kind: "completed", report },
    run: buildRunFacts(values, io.now(), report.target.text, 0),
  });
  const view = { report, document, accepted, colour: hasColour(io), width: io.width, ...defined({ offer }) };
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
