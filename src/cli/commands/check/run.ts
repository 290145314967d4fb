import { checks } from "../../../checks/index.ts";
import { buildDocument, formatDocument } from "../../../format/document/document.ts";
import { type FormatName, formats } from "../../../format/index.ts";
import { judgeAcceptances, selectAcceptedNames } from "../../../format/view/acceptances.ts";
import type { View } from "../../../format/view/view.ts";
import type { JudgedAcceptance } from "../../../model/acceptance.ts";
import { defined } from "../../../model/optional.ts";
import { FailedError, formatError } from "../../../model/errors.ts";
import type { CycleResult, Report } from "../../../model/report.ts";
import type { CheckCommandValues, CheckValues } from "./definition.ts";
import { collectAcceptances, warnOfAcceptances, warnOfCheckAcceptances } from "../../session/acceptances.ts";
import { runCheckCycle } from "../../session/check-cycle.ts";
import { splitTargets } from "./split-targets.ts";
import { getCheckExitCode } from "../../session/exit-code.ts";
import { type Io, hasColour } from "../../io/io.ts";
import { toLine } from "../../../model/visible-text.ts";
import { announceConfig } from "../../settings/found-config.ts";
import { appendJobSummary } from "./job-summary.ts";
import { writeOutputFiles } from "../../io/output-files.ts";
import { buildRiskBackgrounds } from "../../checks/risk-background.ts";
import { buildRunFacts } from "../../session/run-facts.ts";
import { hasLinks } from "../../io/terminal-links.ts";

/** Runs the checks once for one target or several, and prints the result; resolves with the exit code. */
export async function run(given: CheckCommandValues, io: Io): Promise<0 | 1 | 3 | 4> {
  announceConfig(given.config, io);
  const [values, ...others] = splitTargets(given);
  if (others.length === 0) return runOne(values, io);
  const { runSideBySide } = await import("./side-by-side.ts");
  return runSideBySide([values, ...others], io);
}

async function runOne(values: CheckValues, io: Io): Promise<0 | 1 | 3 | 4> {
  const { config } = values;
  const { result, origin, offer } = await runCheckCycle(values, config?.acceptChecks ?? [], io);
  if (result.kind === "failed") return printFailure(result, values, io);
  const { report } = result;
  const acceptances = judgeAcceptances(collectAcceptances(values.accept, config?.accept), report);
  warnOfAcceptances(acceptances, report, io);
  warnOfCheckAcceptances(config?.acceptChecks ?? [], [report], io);
  const view = buildView(report, acceptances, defined({ cluster: origin, offer }), values, io);
  await writeResult(view, values, io);
  return getCheckExitCode(report, selectAcceptedNames(acceptances), values["fail-on"]);
}

/** Colours and links are for terminals, and the result for the next program follows the files. */
async function writeResult(view: View, { output, quiet }: CheckValues, io: Io): Promise<void> {
  await writeOutputFiles(output.files, (format) => formats[format]({ ...view, colour: false, links: false }));
  if (output.stdout === "github") await appendJobSummary(formats.markdown(view), io);
  const write = view.colour || view.links ? io.outStyled : io.out;
  write(formats[quiet ? "quiet" : output.stdout](view));
}

/** The formats in which a failure has a form. */
const DOCUMENT_FORMATS: readonly FormatName[] = ["json", "preflight-v1-json"];

async function printFailure(result: Extract<CycleResult, { kind: "failed" }>, values: CheckValues, io: Io): Promise<1> {
  if (io.stopSignal.aborted) throw new FailedError(formatError(io.stopSignal.reason));
  const run = buildRunFacts(values, io.now(), result.target?.text, 0);
  const document = formatDocument(buildDocument({ result, run }));
  const { stdout, files } = values.output;
  const [written, others] = [files.filter(canFail), files.filter((file) => !canFail(file))];
  await writeOutputFiles(written, () => document);
  if (DOCUMENT_FORMATS.includes(stdout) && !values.quiet) io.out(document);
  io.err(`preflight: ${toLine(result.failure.message)}\n`);
  for (const { file } of others) io.err(`preflight: ${toLine(file)} was not written\n`);
  return 1;
}

function canFail({ format }: { readonly format: FormatName }): boolean {
  return DOCUMENT_FORMATS.includes(format);
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
  return {
    report,
    document,
    hasUnknownRisks: values["unknown-risks"],
    accepted: selectAcceptedNames(acceptances),
    acceptances,
    backgrounds: buildRiskBackgrounds(checks, report),
    colour: hasColour(io),
    links: hasLinks(io),
    width: io.width,
    ...origin,
  };
}
