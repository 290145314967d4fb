import { escapeMarkup } from "../markup.ts";
import type { TableBlock } from "../page.ts";
import { formatText } from "./parts.ts";

/** On a narrow screen each row is a block, whose cells say what they are about. */
export function formatTable({ head, rows }: TableBlock): string {
  const headings = head.map((text) => `<th scope="col">${escapeMarkup(text)}</th>`);
  const lines = rows.map(([first = "", ...cells]) => {
    const texts = cells.map(
      (cell, i) => `<td data-label="${escapeMarkup(head[i + 1] ?? "")}">${formatText(cell)}</td>`,
    );
    return `<tr><th scope="row">${formatText(first)}</th>${texts.join("")}</tr>`;
  });
  return `<div class="wide"><table><thead><tr>${headings.join("")}</tr></thead><tbody>${lines.join("")}</tbody></table></div>`;
}
