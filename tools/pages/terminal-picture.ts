import { escapeMarkup } from "../../src/format/text/html-parts.ts";
import type { Theme } from "./theme.ts";

/** The first lines of a terminal's output with colours, as an SVG. */
export function formatTerminalPicture(title: string, output: string, maxLines: number, theme: Theme): string {
  const all = output.trimEnd().split("\n");
  const lines = all.length > maxLines ? [...all.slice(0, maxLines), "..."] : all;
  const columns = Math.max(...lines.map((line) => stripStyles(line).length));
  const width = Math.ceil(columns * COLUMN) + 2 * MARGIN;
  const height = lines.length * LINE + 2 * MARGIN;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escapeMarkup(title)}</title>`,
    `<style>${FONT}${COLOURS[theme]}</style>`,
    `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8"/>`,
    ...lines.flatMap((line, i) => formatLine(line, MARGIN + (i + 1) * LINE - DESCENT)),
    "</svg>",
    "",
  ].join("\n");
}

const COLUMN = 7.83;
const LINE = 18;
const MARGIN = 16;
const DESCENT = 5;

/** The styles of src/format/text/terminal-text.ts, by their codes. */
const CLASSES: Readonly<Record<string, string>> = {
  1: "bold",
  2: "faint",
  31: "red",
  32: "green",
  33: "yellow",
  35: "magenta",
  36: "cyan",
};

const FONT =
  "text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre}.bold,.red{font-weight:700}";

const COLOURS: Readonly<Record<Theme, string>> = {
  light:
    "rect{fill:#fff;stroke:#d0d7de}text{fill:#1f2328}.faint{fill:#59636e}.red{fill:#b3131d}.green{fill:#1a7f37}.yellow{fill:#7d4e00}.magenta{fill:#8250df}.cyan{fill:#1b7c83}",
  dark: "rect{fill:#0d1117;stroke:#3d444d}text{fill:#e6edf3}.faint{fill:#9198a1}.red{fill:#ff7b72}.green{fill:#3fb950}.yellow{fill:#d29922}.magenta{fill:#d2a8ff}.cyan{fill:#39c5cf}",
};

// oxlint-disable-next-line no-control-regex
const STYLED = /\u001b\[([\d;]+)m(.*?)\u001b\[0m/g;

function stripStyles(line: string): string {
  return line.replaceAll(STYLED, "$2");
}

/** "1;31": "bold red" */
function listClasses(code: string): string {
  return code
    .split(";")
    .flatMap((one) => CLASSES[one] ?? [])
    .join(" ");
}

/** A line with words in a style has a tspan for each of them. */
function formatLine(line: string, y: number): readonly string[] {
  if (line === "") return [];
  const parts: string[] = [];
  let end = 0;
  for (const { index, 0: whole, 1: code = "", 2: text = "" } of line.matchAll(STYLED)) {
    parts.push(
      escapeMarkup(line.slice(end, index)),
      `<tspan class="${listClasses(code)}">${escapeMarkup(text)}</tspan>`,
    );
    end = index + whole.length;
  }
  return [`<text x="${MARGIN}" y="${y}" xml:space="preserve">${parts.join("")}${escapeMarkup(line.slice(end))}</text>`];
}
