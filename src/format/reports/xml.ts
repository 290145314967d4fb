import { toPlainText } from "../plain-text.ts";

/** Escapes text for XML and HTML, and characters that neither can hold. */
export function escapeMarkup(text: string): string {
  return text
    .split("\n")
    .map(toPlainText)
    .join("\n")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
