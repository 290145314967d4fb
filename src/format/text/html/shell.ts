import { escapeMarkup } from "../markup.ts";
import { formatText } from "./parts.ts";
import { STYLE } from "./style.ts";

type Page = {
  readonly title: string;
  /** Added to the style of every page. */
  readonly style?: string;
  readonly script: string;
  /** "sha256-...", of the script. */
  readonly scriptHash: string;
  /** Markup. */
  readonly header: readonly string[];
  readonly main: readonly string[];
};

/** One page without any other file. By its own policy it loads nothing, and runs no script but its own. */
export function formatPage({ title, style = "", script, scriptHash, header, main }: Page): string {
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src '${scriptHash}'; base-uri 'none'; form-action 'none'`;
  return [
    "<!doctype html>",
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="color-scheme" content="light dark">`,
    `<title>${escapeMarkup(title)}</title>`,
    `<style>${STYLE}${style}</style></head><body>`,
    '<header class="top">',
    ...header,
    "</header><main>",
    ...main,
    "</main>",
    `<script>${script}</script></body></html>`,
    "",
  ]
    .filter((line, i, lines) => line !== "" || i === lines.length - 1)
    .join("\n");
}

const SYMBOLS = { risk: "!", incomplete: "?", nothing: "?", clear: "✓" } as const;

/** What a page comes to: its words, what they rest on, and the numbers behind it. `basis` is text; `tiles` is markup of list items. */
export function formatDecisionPanel(
  { kind, words }: { readonly kind: keyof typeof SYMBOLS; readonly words: string },
  basis: string,
  tiles: readonly string[],
): string {
  return [
    `<section class="decision ${kind}"><p class="words"><span class="symbol" aria-hidden="true">${SYMBOLS[kind]}</span><strong>${escapeMarkup(words)}.</strong></p>`,
    `<p>${formatText(basis)}</p>`,
    ...(tiles.length === 0 ? [] : [`<ul class="tiles">${tiles.join("")}</ul>`]),
    "</section>",
  ].join("\n");
}
