import { checks } from "../../../checks/index.ts";
import { selectAcceptedNames } from "../../../format/view/acceptances.ts";
import { buildDocument, formatDocument } from "../../../format/document/document.ts";
import { type FormatName, formats } from "../../../format/index.ts";
import { formatQuiet } from "../../../format/programs/quiet.ts";
import type { CycleResult } from "../../../model/report.ts";
import { toLine } from "../../../model/visible-text.ts";
import { buildRiskBackgrounds } from "../../checks/risk-background.ts";
import type { Io } from "../../io/io.ts";
import { judgeReports, warnOfCheckAcceptances } from "../../session/acceptances.ts";
import { getExitCode, getVerdict } from "../../session/exit-code.ts";
import { getPlainStyle, printResult, type Style, writeOutputFiles } from "../../session/print.ts";
import { buildRunFacts } from "../../session/run-facts.ts";
import { buildFailedError } from "../../session/session.ts";
import { type CheckedTarget, checkTarget } from "../../session/target-check.ts";
import { announceConfig } from "../../settings/found-config.ts";
import type { CheckCommandValues, CheckValues } from "./definition.ts";
import { appendJobSummary } from "./job-summary.ts";
import { splitTargets } from "./split-targets.ts";

/** Runs the checks once for one target or several, and prints the result; resolves with the exit code. */
export async function run(given: CheckCommandValues, io: Io): Promise<0 | 1 | 3 | 4> {
  announceConfig(given.config, io);
  const [values, ...others] = splitTargets(given);
  if (others.length > 0) {
    const { runSideBySide } = await import("./side-by-side.ts");
    return runSideBySide([values, ...others], io);
  }
  const { result, ...origin } = await checkTarget(values, io);
  if (result.kind === "failed") return printFailure(result, values, io);
  return printReport(result, origin, values, io);
}

async function printReport(
  result: Extract<CycleResult, { kind: "completed" }>,
  origin: Omit<CheckedTarget, "result">,
  values: CheckValues,
  io: Io,
): Promise<0 | 3 | 4> {
  const { report } = result;
  const [acceptances = []] = judgeReports([report], values, io);
  warnOfCheckAcceptances([report], values, io);
  const accepted = selectAcceptedNames(acceptances);
  const document = buildDocument({ result, run: buildRunFacts(values, io.now(), report.target.text) });
  const backgrounds = buildRiskBackgrounds(checks, report);
  const hasUnknownRisks = values["unknown-risks"];
  const view = { report, document, hasUnknownRisks, accepted, acceptances, backgrounds, ...origin };
  const formatAs = (format: FormatName | "quiet", style: Style): string =>
    (format === "quiet" ? formatQuiet : formats[format])({ ...view, ...style });
  const { output, quiet } = values;
  await printResult(quiet ? { ...output, stdout: "quiet" } : output, formatAs, io);
  if (output.stdout === "github") await appendJobSummary(formats.markdown({ ...view, ...getPlainStyle(io) }), io);
  return getExitCode([getVerdict(report, accepted)], values["fail-on"]);
}

/** The formats in which a failure has a form. */
const DOCUMENT_FORMATS: readonly FormatName[] = ["json", "preflight-v1-json"];

async function printFailure(result: Extract<CycleResult, { kind: "failed" }>, values: CheckValues, io: Io): Promise<1> {
  const { message } = result.failure;
  if (io.stopSignal.aborted) throw buildFailedError(message, io);
  const document = formatDocument(buildDocument({ result, run: buildRunFacts(values, io.now(), result.target?.text) }));
  const { stdout, files } = values.output;
  const { written = [], others = [] } = Object.groupBy(files, ({ format }) =>
    DOCUMENT_FORMATS.includes(format) ? "written" : "others",
  );
  await writeOutputFiles(written, () => document);
  if (DOCUMENT_FORMATS.includes(stdout) && !values.quiet) io.out(document);
  io.err(`preflight: ${toLine(message)}\n`);
  for (const { file } of others) io.err(`preflight: ${toLine(file)} was not written\n`);
  return 1;
}
