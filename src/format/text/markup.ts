import { toVisibleText } from "../../model/visible-text.ts";

/** Escapes text for XML and HTML, and characters that neither can hold. */
export function escapeMarkup(text: string): string {
  return toVisibleText(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
