import { failWith } from "../../model/errors.ts";
import { toVisibleOutput } from "../../model/visible-text.ts";
import { publish } from "../../publish/atomic-file.ts";
import { hasColour, type Io } from "../io/io.ts";
import type { OutputFile, Outputs } from "../settings/values.ts";
import type { FleetVerdict } from "../../format/fleet/cluster.ts";
import { buildDocument, type RunFacts, buildPreflightId } from "../../format/document/document.ts";
import type { PreflightDocument } from "../../model/document.ts";
import type { CycleResult } from "../../model/report.ts";
import type { ValuesOf } from "../settings/command.ts";
import type { releaseImageSettings, unknownRiskSettings } from "../settings/shared-settings.ts";
import { VERSION } from "../../model/program-version.ts";

/** How a text may look. */
export type Style = {
  readonly colour: boolean;
  readonly links: boolean;
  readonly width: number;
  /** What the user calls this program. */
  readonly program: string;
};

/** Writes a result to its files, and then to stdout for the next program. Colours and links are for terminals. `file`: absent for stdout. */
export async function printResult<Format>(
  { stdout, files }: Outputs<Format>,
  formatAs: (format: Format, style: Style, file?: string) => string,
  io: Io,
): Promise<void> {
  await writeOutputFiles(files, (format, file) => formatAs(format, getPlainStyle(io), file));
  const style = { ...getPlainStyle(io), colour: hasColour(io), links: hasLinks(io) };
  const write = style.colour || style.links ? io.outStyled : io.out;
  write(formatAs(stdout, style));
}

/** Of a text for a file. */
export function getPlainStyle({ width, program }: Io): Style {
  return { colour: false, links: false, width, program };
}

export async function writeOutputFiles<Format>(
  files: readonly OutputFile<Format>[],
  formatAs: (format: Format, file: string) => string,
): Promise<void> {
  for (const { format, file } of files) await writeOutputFile(file, toVisibleOutput(formatAs(format, file)));
}

/** The file is one whole result at any time: an earlier one stays until it is replaced. */
export async function writeOutputFile(file: string, content: string | Uint8Array): Promise<void> {
  await publish(file, content).catch(failWith(`the file ${file} can't be written`));
}

type Environment = Io["env"];

/** Terminals that show hyperlinks (OSC 8) in every version that is still in use, by TERM_PROGRAM and by TERM. */
const PROGRAMS = new Set(["iTerm.app", "WezTerm", "vscode", "ghostty", "Tabby", "WarpTerminal", "zed"]);
const TERMS = new Set(["xterm-kitty", "xterm-ghostty", "alacritty", "foot", "foot-extra", "wezterm", "contour"]);

/** GNOME Terminal and its relatives: 0.50.0 crashed on hyperlinks. */
const FIRST_VTE = 5001;

/** Hyperlinks are for terminals that are known to show them. FORCE_HYPERLINK decides otherwise, as in other tools. */
export function hasLinks({ env, isOutTerminal }: Pick<Io, "env" | "isOutTerminal">): boolean {
  const forced = env["FORCE_HYPERLINK"];
  if (forced !== undefined) return forced !== "0" && forced.toLowerCase() !== "false";
  if (!isOutTerminal || env["NO_COLOR"] || env["TERM"] === "dumb" || env["CI"]) return false;
  return !isMultiplexer(env) && isKnownTerminal(env);
}

/** What is around tmux or screen says nothing about what gets through. */
function isMultiplexer({ TMUX, STY, TERM = "" }: Environment): boolean {
  return Boolean(TMUX) || Boolean(STY) || /^(?:tmux|screen)/.test(TERM);
}

function isKnownTerminal({ TERM_PROGRAM = "", TERM = "", VTE_VERSION, WT_SESSION }: Environment): boolean {
  return PROGRAMS.has(TERM_PROGRAM) || TERMS.has(TERM) || Number(VTE_VERSION) >= FIRST_VTE || Boolean(WT_SESSION);
}

type FailOn = "never" | "risk" | "incomplete";

/** 3 if one verdict is an unaccepted risk, else 4 if one is about less than everything; else 0. */
export function getExitCode(verdicts: readonly FleetVerdict[], failOn: FailOn): 0 | 3 | 4 {
  if (failOn === "never") return 0;
  if (verdicts.includes("risk")) return 3;
  return failOn === "risk" || verdicts.every((verdict) => verdict === "clear" || verdict === "updated") ? 0 : 4;
}

export function toVerdict(hasRisk: boolean, isIncomplete: boolean): FleetVerdict {
  if (hasRisk) return "risk";
  return isIncomplete ? "incomplete" : "clear";
}

/** Of a command whose child process exited before it began: nothing was seen then, whatever the child's code says. */
export function getChildExitCode(code: number): 1 | 2 {
  return code === 2 ? 2 : 1;
}

export type RunFactsValues = ValuesOf<typeof unknownRiskSettings> & Partial<ValuesOf<typeof releaseImageSettings>>;

/** The document of a single cycle. */
export function buildResultDocument(result: CycleResult, values: RunFactsValues, now: Date): PreflightDocument {
  return buildDocument({ result, run: buildRunFacts(values, now, getTargetVersion(result)) });
}

/** Undefined if the cycle failed before it was known. */
export function getTargetVersion(result: CycleResult): string | undefined {
  return result.kind === "completed" ? result.report.target.text : result.target?.text;
}

/** The facts of one run, which every document of the run repeats. */
export function buildRunFacts(
  values: RunFactsValues,
  now: Date,
  targetVersion?: string,
  intervalSeconds = 0,
): RunFacts {
  return {
    preflightID: buildPreflightId(now, targetVersion),
    runnerVersion: VERSION,
    intervalSeconds,
    hasUnknownRisks: values["unknown-risks"],
    targetVersion,
    image: values["release-image"],
  };
}
