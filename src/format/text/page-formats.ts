import { formatHtml } from "./html/html.ts";
import { formatMarkdown } from "./markdown.ts";
import type { Page } from "./page.ts";
import { formatTerminal } from "./terminal.ts";
import type { TerminalOptions } from "./terminal-card.ts";

/** The formats that show a page to people, by name. */
type PageFormats<View> = Readonly<Record<"table" | "markdown" | "html", (view: View & TerminalOptions) => string>>;

/** The names of formats, in the order of their registry. */
export function listFormats<Name extends string>(formats: Readonly<Record<Name, unknown>>): readonly Name[] {
  return Object.keys(formats).filter((name): name is Name => Object.hasOwn(formats, name));
}

/** Whatever has a page has these formats. */
export function createPageFormats<View>(build: (view: View) => Page): PageFormats<View> {
  return {
    table: (view) => formatTerminal(build(view), view),
    markdown: (view) => formatMarkdown(build(view)),
    html: (view) => formatHtml(build(view)),
  };
}
