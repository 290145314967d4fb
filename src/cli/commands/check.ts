import { type RunFacts, renderDocument, toDocument } from "../../format/document.ts";
import { formats } from "../../format/index.ts";
import { quiet } from "../../format/quiet.ts";
import { preflightId } from "../../format/times.ts";
import type { Format } from "../../format/view.ts";
import { errorText, FailedError, UsageError } from "../../model/errors.ts";
import type { CycleResult, Report } from "../../model/report.ts";
import { runCycle } from "../../runner/cycle.ts";
import type { Arguments } from "../arguments.ts";
import { questionOf } from "../crds.ts";
import { exitCode, type FailOn } from "../exit-code.ts";
import { type Io, wantsColour } from "../io.ts";
import { progress } from "../progress.ts";
import { liftedOf, openCluster, readingOf } from "../session.ts";
import { VERSION } from "../version.ts";

/** Runs the checks once and prints what they found; gives the exit code of the contract. */
export async function check(args: Arguments, io: Io): Promise<number> {
  const result = await oneCycle(args, io);
  if (result.kind === "failed") return failed(result, args, io);
  const accepted = acceptedOf(args, result.report);
  io.out(render(result.report, accepted, args, io));
  return exitCode(result.report, accepted, failOn(args));
}

async function oneCycle(args: Arguments, io: Io): Promise<CycleResult> {
  const reading = readingOf(args);
  const { checks, target } = await questionOf(args);
  for (const why of target.warnings ?? []) io.err(`preflight: left out: ${why}\n`);
  if (target.kind === "failed") return { kind: "failed", failure: target.failure, observedAt: io.now() };
  const cluster = await openCluster(args, io);
  const shown = progress(io);
  try {
    const { reader } = cluster;
    const [lifted, now] = [liftedOf(args), io.now()];
    return await runCycle({ checks, reader, target, now, signal: io.stop, ...reading, lifted, onRead: shown.onRead });
  } finally {
    shown.done();
    cluster.close();
  }
}

function failed(result: Extract<CycleResult, { kind: "failed" }>, args: Arguments, io: Io): number {
  if (io.stop.aborted) throw new FailedError(errorText(io.stop.reason));
  const format = args.text("output");
  if (format !== "table" && !args.flag("quiet")) {
    io.out(renderDocument(toDocument({ result, run: runFacts(args, io, result.target?.text) })));
  }
  io.err(`preflight: ${result.failure.message}\n`);
  return 1;
}

function render(report: Report, accepted: ReadonlySet<string>, args: Arguments, io: Io): string {
  const document = toDocument({ result: { kind: "completed", report }, run: runFacts(args, io, report.target.text) });
  const view = { report, document, accepted, colour: wantsColour(io), width: io.width };
  return args.flag("quiet") ? quiet(view) : formatOf(args)(view);
}

function formatOf(args: Arguments): Format {
  const name = args.text("output");
  const [, format] = Object.entries(formats).find(([known]) => known === name) ?? [];
  if (format === undefined)
    throw new UsageError(`--output "${name}" is not known: known are ${Object.keys(formats).join(", ")}`);
  return format;
}

function runFacts(args: Arguments, io: Io, targetVersion: string | undefined): RunFacts {
  return {
    preflightID: preflightId(io.now(), targetVersion),
    runnerVersion: VERSION,
    intervalSeconds: 0,
    reportUnknownAsRisk: args.flag("unknown-risks"),
    ...(targetVersion === undefined ? {} : { targetVersion }),
  };
}

/** Only names of risks that this run found count as accepted. */
function acceptedOf(args: Arguments, report: Report): ReadonlySet<string> {
  return new Set(args.list("accept").filter((name) => report.risks.some((risk) => risk.name === name)));
}

function failOn(args: Arguments): FailOn {
  const given = args.text("fail-on");
  return given === "never" || given === "risk" ? given : "incomplete";
}
