import { failWith } from "../../model/errors.ts";
import { toVisibleOutput } from "../../model/visible-text.ts";
import { publish } from "../../publish/atomic-file.ts";
import { hasColour, type Io } from "../io/io.ts";
import type { OutputFile, Outputs } from "../settings/outputs.ts";

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
