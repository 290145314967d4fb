import { escapeMarkup } from "../../text/markup.ts";

/** A command to copy. A choice of the administrator's stands out: it has to be filled in. */
export function formatCommand(label: string, command: string): string {
  const text = escapeMarkup(command).replaceAll(/&lt;[a-z][a-z0-9 -]*&gt;/g, "<var>$&</var>");
  return `<div class="command"><span class="label">${label}</span><code>${text}</code></div>`;
}
