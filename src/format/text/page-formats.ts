import { formatHtml } from "./html/html.ts";
import { formatMarkdown } from "./markdown.ts";
import type { Page } from "./page.ts";
import { formatTerminal } from "./terminal.ts";
import type { TerminalOptions } from "./terminal-card.ts";

/** The formats that show a page to people, by name. */
type PageFormats<View> = Readonly<Record<"table" | "markdown" | "html", (view: View & TerminalOptions) => string>>;

/** Whatever has a page has these formats. */
export function createPageFormats<View>(build: (view: View) => Page): PageFormats<View> {
  return {
    table: (view) => formatTerminal(build(view), view),
    markdown: (view) => formatMarkdown(build(view)),
    html: (view) => formatHtml(build(view)),
  };
}
