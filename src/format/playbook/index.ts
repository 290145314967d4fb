import { formatHtml } from "../text/html/html.ts";
import { formatMarkdown } from "../text/markdown.ts";
import { buildPlaybookPage } from "./playbook-page.ts";
import type { PlaybookView } from "./playbook-view.ts";

/** The output formats of a playbook, by name. */
export const playbookFormats = {
  markdown: (view: PlaybookView): string => formatMarkdown(buildPlaybookPage(view)),
  html: (view: PlaybookView): string => formatHtml(buildPlaybookPage(view)),
};
