import { decide } from "../../../format/view/decision.ts";
import { toLine, toVisibleOutput } from "../../../model/visible-text.ts";
import { type FormatName, formats } from "../../../format/index.ts";
import { UsageError, formatError } from "../../../model/errors.ts";
import { type CheckSetValues, withCheckSet } from "../../checks/check-set.ts";
import type { Io } from "../../io/io.ts";
import { type Style, getExitCode, getPlainStyle, printResult } from "../../session/result.ts";
import { checkTarget } from "../../session/session.ts";
import { announceConfig } from "../../settings/config-file.ts";
import type { RecheckValues } from "../../checks/earlier-checks.ts";
import { type CheckView, buildCheckView, printFailure } from "./check-view.ts";
import type { FileSearch } from "./checked-files.ts";
import type { RecheckRun } from "./recheck.ts";
import type { CheckCommandValues, LoadedCheckValues } from "./definition.ts";
import { appendFile } from "node:fs/promises";

/** Runs the checks once for one target or several, and prints the result; resolves with the exit code. */
export async function run(given: CheckCommandValues, io: Io): Promise<0 | 1 | 3 | 4> {
  announceConfig(given.config, given["must-gather"] !== undefined, io);
  const [values, ...others] = splitTargets(await withCheckSet(given, io));
  const search = await startSearch(given, values, others.length > 0);
  if (given.watch) {
    const { requireWatchable, runWatch } = await import("./watch.ts");
    requireWatchable(given, others.length > 0);
    return runWatch(values, io);
  }
  if (given.recheck !== undefined || given.all) {
    const { startRecheck } = await import("./recheck.ts");
    const recheck = await startRecheck(given, others.length > 0, io);
    const recheckValues = { ...values, recheck: given.recheck, earlier: recheck.checks };
    return runOnce(recheckValues, io, { search, compare: recheck.compare });
  }
  if (others.length > 0) {
    const { runSideBySide } = await import("./side-by-side.ts");
    return runSideBySide([values, ...others], io);
  }
  return runOnce(values, io, { search });
}

async function startSearch(
  given: CheckCommandValues,
  values: LoadedCheckValues,
  isSideBySide: boolean,
): Promise<FileSearch | undefined> {
  if (given.manifests.length === 0) return undefined;
  const { startFileSearch } = await import("./checked-files.ts");
  return startFileSearch(given, values, isSideBySide);
}

/** `compare`: of a second look, what it makes of the first. */
type RunOptions = { readonly search: FileSearch | undefined; readonly compare?: RecheckRun["compare"] };

async function runOnce(
  values: LoadedCheckValues & RecheckValues,
  io: Io,
  { search, compare }: RunOptions,
): Promise<0 | 1 | 3 | 4> {
  const { result, ...origin } = await checkTarget(values, io, search?.repeat);
  if (result.kind === "failed") return printFailure(result, values, io);
  const { report, files } = (await search?.addFiles(result.report, origin.cluster)) ?? { report: result.report };
  const view = buildCheckView({ ...result, report }, origin, values, io, compare);
  return printReport({ ...view, files }, values, io);
}

const FLAGS = ["to", "to-image", "target", "target-version"] as const;

/** The values for each target. Throws a UsageError if more than one flag names several, since nobody could tell which belong together. */
function splitTargets(
  values: CheckCommandValues & CheckSetValues,
): readonly [LoadedCheckValues, ...LoadedCheckValues[]] {
  const given = FLAGS.filter((flag) => values[flag].length > 0);
  const several = given.find((flag) => values[flag].length > 1);
  const other = given.find((flag) => several !== undefined && flag !== several);
  if (other !== undefined) throw new UsageError(`--${several} names several targets: remove --${other}`);
  const select = (index: number): LoadedCheckValues => {
    const [to, image, target, version] = FLAGS.map((flag) => values[flag][flag === several ? index : 0]);
    return { ...values, to, "to-image": image, target, "target-version": version };
  };
  const [, ...others] = several === undefined ? [] : values[several];
  return [select(0), ...others.map((_, i) => select(i + 1))];
}

async function printReport(shown: CheckView, values: LoadedCheckValues, io: Io): Promise<0 | 3 | 4> {
  const formatAs = (format: FormatName, style: Style): string => formats[format]({ ...shown, ...style });
  const { output, quiet } = values;
  await printResult(quiet ? { ...output, stdout: "quiet" } : output, formatAs, io);
  if (output.stdout === "github") await appendJobSummary(formats.markdown({ ...shown, ...getPlainStyle(io) }), io);
  return getExitCode([decide(shown.report, shown).kind], values["fail-on"]);
}

/** GitHub Actions refuses a larger summary of a step. */
const MAX_BYTES = 1024 * 1024;

const END = "\n\nThe result is too long for a job summary; `-o json` has all of it.\n";

/** Appends markdown to the summary of a step in GitHub Actions, if it runs in one. A summary that can't be written fails nothing. */
async function appendJobSummary(markdown: string, io: Io): Promise<void> {
  const file = io.env["GITHUB_STEP_SUMMARY"];
  if (file === undefined || file === "") return;
  try {
    await appendFile(file, limitBytes(toVisibleOutput(markdown)));
  } catch (thrown) {
    io.err(`preflight: the job summary was not written: ${toLine(formatError(thrown))}\n`);
  }
}

/** Whole risks only: a cut within one could leave a code block open. */
export function limitBytes(text: string): string {
  if (Buffer.byteLength(text) <= MAX_BYTES) return text;
  const bytes = Buffer.from(text).subarray(0, MAX_BYTES - Buffer.byteLength(END));
  return `${bytes.subarray(0, bytes.lastIndexOf("\n### ")).toString("utf8").trimEnd()}${END}`;
}
