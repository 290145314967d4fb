import { type RunFacts, formatDocument, buildDocument } from "../../format/document.ts";
import { formats } from "../../format/index.ts";
import { formatQuiet } from "../../format/quiet.ts";
import { buildPreflightId } from "../../format/times.ts";
import type { Format } from "../../format/view.ts";
import { formatError, FailedError, UsageError } from "../../model/errors.ts";
import type { CycleResult, Report } from "../../model/report.ts";
import { runCycle } from "../../runner/cycle.ts";
import type { Arguments } from "../command-line/arguments.ts";
import { readChecksAndTarget } from "../inputs/checks-and-target.ts";
import { getExitCode, type FailOn } from "../exit-code.ts";
import { type Io, hasColour } from "../io.ts";
import { createProgress } from "../progress.ts";
import { parseOperatorRisks, openCluster, parseReadLimits } from "../inputs/cycle-inputs.ts";
import { VERSION } from "../version.ts";
import { defined } from "../../model/optional.ts";

/** Runs the checks once and prints what they found; gives the exit code of the contract. */
export async function check(args: Arguments, io: Io): Promise<number> {
  const result = await runOneCycle(args, io);
  if (result.kind === "failed") return printFailure(result, args, io);
  const accepted = selectAccepted(args, result.report);
  io.out(formatReport(result.report, accepted, args, io));
  return getExitCode(result.report, accepted, parseFailOn(args));
}

async function runOneCycle(args: Arguments, io: Io): Promise<CycleResult> {
  const readLimits = parseReadLimits(args);
  const { checks, target } = await readChecksAndTarget(args);
  for (const why of target.warnings ?? []) io.err(`preflight: left out: ${why}\n`);
  if (target.kind === "failed") return { kind: "failed", failure: target.failure, observedAt: io.now() };
  const cluster = await openCluster(args, io);
  const progress = createProgress(io);
  try {
    const { reader } = cluster;
    const [operatorRisks, now] = [parseOperatorRisks(args), io.now()];
    return await runCycle({
      checks,
      reader,
      target,
      now,
      signal: io.stopSignal,
      ...readLimits,
      operatorRisks,
      onRead: progress.onRead,
    });
  } finally {
    progress.done();
    cluster.close();
  }
}

function printFailure(result: Extract<CycleResult, { kind: "failed" }>, args: Arguments, io: Io): number {
  if (io.stopSignal.aborted) throw new FailedError(formatError(io.stopSignal.reason));
  const format = args.text("output");
  if (format !== "table" && !args.flag("quiet")) {
    io.out(formatDocument(buildDocument({ result, run: buildRunFacts(args, io, result.target?.text) })));
  }
  io.err(`preflight: ${result.failure.message}\n`);
  return 1;
}

function formatReport(report: Report, accepted: ReadonlySet<string>, args: Arguments, io: Io): string {
  const document = buildDocument({
    result: { kind: "completed", report },
    run: buildRunFacts(args, io, report.target.text),
  });
  const view = { report, document, accepted, colour: hasColour(io), width: io.width };
  return args.flag("quiet") ? formatQuiet(view) : selectFormat(args)(view);
}

function selectFormat(args: Arguments): Format {
  const name = args.text("output");
  const [, format] = Object.entries(formats).find(([known]) => known === name) ?? [];
  if (format === undefined)
    throw new UsageError(`--output "${name}" is not known: known are ${Object.keys(formats).join(", ")}`);
  return format;
}

function buildRunFacts(args: Arguments, io: Io, targetVersion: string | undefined): RunFacts {
  return {
    preflightID: buildPreflightId(io.now(), targetVersion),
    runnerVersion: VERSION,
    intervalSeconds: 0,
    hasUnknownRisks: args.flag("unknown-risks"),
    ...defined({ targetVersion }),
  };
}

/** Only names of risks that this run found count as accepted. */
function selectAccepted(args: Arguments, report: Report): ReadonlySet<string> {
  return new Set(args.list("accept").filter((name) => report.risks.some((risk) => risk.name === name)));
}

function parseFailOn(args: Arguments): FailOn {
  const given = args.text("fail-on");
  return given === "never" || given === "risk" ? given : "incomplete";
}
