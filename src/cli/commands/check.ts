import { formatDocument, buildDocument } from "../../format/document.ts";
import { formats } from "../../format/index.ts";
import { judgeAcceptances, selectAcceptedNames } from "../../format/acceptances.ts";
import { formatQuiet } from "../../format/quiet.ts";
import type { View } from "../../format/view.ts";
import type { JudgedAcceptance } from "../../model/acceptance.ts";
import { defined } from "../../model/optional.ts";
import { formatError, FailedError } from "../../model/errors.ts";
import type { CycleResult, Report } from "../../model/report.ts";
import type { CheckCommandValues, CheckValues } from "../definitions/check.ts";
import { collectAcceptances, warnOfAcceptances } from "../acceptances.ts";
import { runCheckCycle } from "../check-cycle.ts";
import { splitTargets } from "../side-by-side/split-targets.ts";
import { getCheckExitCode } from "../exit-code.ts";
import { type Io, hasColour } from "../io.ts";
import { toLine } from "../terminal-text.ts";
import { readConfig } from "../inputs/config-file.ts";
import { parseReportFiles, writeReportFiles } from "../report-files.ts";
import { buildRunFacts } from "../run-facts.ts";

/** Runs the checks once for one target or several, and prints the result; resolves with the exit code. */
export async function run(given: CheckCommandValues, io: Io): Promise<number> {
  const [values, ...others] = splitTargets(given);
  if (others.length === 0) return runOne(values, io);
  const { runSideBySide } = await import("../side-by-side/side-by-side.ts");
  return runSideBySide([values, ...others], io);
}

async function runOne(values: CheckValues, io: Io): Promise<number> {
  const reportFiles = parseReportFiles(values.report);
  const config = await readConfig(values.config);
  const { result, origin, offer } = await runCheckCycle(values, io);
  if (result.kind === "failed") return printFailure(result, values, io);
  const { report } = result;
  const acceptances = judgeAcceptances(collectAcceptances(values.accept, config?.accept), report);
  warnOfAcceptances(acceptances, report, io);
  const view = buildView(report, acceptances, defined({ cluster: origin, offer }), values, io);
  await writeReportFiles(reportFiles, view);
  const write = view.colour ? io.outStyled : io.out;
  write(values.quiet ? formatQuiet(view) : formats[values.output](view));
  return getCheckExitCode(report, selectAcceptedNames(acceptances), values["fail-on"]);
}

/** The formats in which a failure has a form. */
const DOCUMENT_FORMATS: ReadonlySet<string> = new Set(["json", "preflight-v1-json"]);

function printFailure(result: Extract<CycleResult, { kind: "failed" }>, values: CheckValues, io: Io): number {
  if (io.stopSignal.aborted) throw new FailedError(formatError(io.stopSignal.reason));
  if (DOCUMENT_FORMATS.has(values.output) && !values.quiet) {
    const run = buildRunFacts(values, io.now(), result.target?.text, 0);
    io.out(formatDocument(buildDocument({ result, run })));
  }
  io.err(`preflight: ${toLine(result.failure.message)}\n`);
  return 1;
}

function buildView(
  report: Report,
  acceptances: readonly JudgedAcceptance[],
  origin: Pick<View, "cluster" | "offer">,
  values: CheckValues,
  io: Io,
): View {
  const document = buildDocument({
    result: { kind: "completed", report },
    run: buildRunFacts(values, io.now(), report.target.text, 0),
  });
  const accepted = selectAcceptedNames(acceptances);
  return { report, document, accepted, acceptances, colour: hasColour(io), width: io.width, ...origin };
}
