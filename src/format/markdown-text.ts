import { toPlainText } from "./plain-text.ts";

/** Text of a cluster as markdown: it must not become markup, a mention or a link. */
export function escapeMarkdown(text: string): string {
  return toPlainText(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(/[\\`*_[\]|#~]/g, String.raw`\$&`)
    .replaceAll("@", "&#64;");
}
