import type { Io } from "./io.ts";

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
