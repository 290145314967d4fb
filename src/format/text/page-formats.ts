import { replaceProgramIn } from "../../model/program-name.ts";
import { formatHtml } from "./html.ts";
import { formatMarkdown } from "./markdown.ts";
import type { Page } from "./page.ts";
import { formatTerminal } from "./terminal.ts";
import type { TerminalOptions } from "./terminal-card.ts";

/** The formats that show a page to people, by name. */
type PageFormats<View> = Readonly<
  Record<"markdown" | "html", (view: View & Named) => string> &
    Record<"table", (view: View & TerminalOptions) => string>
>;
type Named = Pick<TerminalOptions, "program">;

/** Whatever has a page has these formats. */
export function createPageFormats<View>(build: (view: View) => Page): PageFormats<View> {
  const buildNamed = (view: View & Named): Page => replaceProgramIn(build(view), view.program);
  return {
    table: (view) => formatTerminal(buildNamed(view), view),
    markdown: (view) => formatMarkdown(buildNamed(view)),
    html: (view) => formatHtml(buildNamed(view)),
  };
}
