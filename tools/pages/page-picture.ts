import { escapeMarkup } from "../../src/format/text/html-parts.ts";
import type { Theme } from "./theme.ts";

/** The width at which a page is drawn, and how much of it. */
type Frame = { readonly width: number; readonly height: number };

/** The top of an HTML page in one theme, as an SVG that holds the page itself: nothing is drawn a second time, and no browser is needed. */
export function formatPagePicture(title: string, html: string, { width, height }: Frame, theme: Theme): string {
  const style = withoutViewport(selectTheme(getPart(html, "<style>", "</style>"), theme), { width, height });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escapeMarkup(title)}</title>`,
    `<style><![CDATA[${style}${FRAME}]]></style>`,
    `<linearGradient id="fade" x2="0" y2="1"><stop offset="0" class="clear"/><stop offset="1"/></linearGradient>`,
    `<rect width="${width}" height="${height}" class="page"/>`,
    `<foreignObject width="${width}" height="${height}"><body xmlns="http://www.w3.org/1999/xhtml">`,
    toXhtml(getPart(html, "<body>", "<script>")),
    "</body></foreignObject>",
    `<rect y="${height - FADE}" width="${width}" height="${FADE}" fill="url(#fade)"/>`,
    `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" class="frame"/>`,
    "</svg>",
    "",
  ].join("\n");
}

const FADE = 80;

/** WebKit misplaces what is positioned in a foreign object, such as text for screen readers, which no picture shows. */
const FRAME =
  "body *{position:static!important}.hidden{display:none!important}" +
  ".frame{fill:none;stroke:var(--line)}.page{fill:var(--page)}stop{stop-color:var(--page)}.clear{stop-opacity:0}";

/** The text between two marks, of which the page has one each. */
function getPart(html: string, begin: string, end: string): string {
  const from = html.indexOf(begin) + begin.length;
  const to = html.indexOf(end, from);
  if (from < begin.length || to < 0) throw new Error(`the page lacks ${begin} or ${end}`);
  return html.slice(from, to);
}

const MEDIA = /@media([^{]*)\{((?:[^{}]|\{[^{}]*\})*)\}/g;

/** Only the theme is left of what depends on the medium: a picture is never printed page by page, nor as narrow as a phone. */
function selectTheme(style: string, theme: Theme): string {
  const own = style.replaceAll(MEDIA, (_, condition: string, rules: string) =>
    theme === "dark" && condition.includes("prefers-color-scheme:dark") ? rules : "",
  );
  return `${own}:root{color-scheme:${theme}}`;
}

/** A picture may be shown smaller than it is, and the page in it has to stay as it is drawn. Nothing in it scrolls. */
function withoutViewport(style: string, { width, height }: Frame): string {
  const toPixels = (_: string, part: string, side: string): string =>
    `${(Number(part) * (side === "h" ? height : width)) / 100}px`;
  return style
    .replaceAll(/\b(\d+)v([hw])\b/g, toPixels)
    .replaceAll(/\boverflow(-[xy])?:(?:auto|scroll)\b/g, "overflow$1:clip");
}

const VOID = /<(br|hr|img|input|meta|wbr)\b([^>]*)>/g;

/** Our pages close every element that can be closed, and quote every value. */
function toXhtml(html: string): string {
  return html
    .replaceAll(VOID, "<$1$2/>")
    .replaceAll(/<[a-z][^<>]*>/g, (tag) =>
      tag.replaceAll(/\s(hidden|open|disabled|selected|checked)(?=[\s/>])(?=(?:[^"]*"[^"]*")*[^"]*$)/g, ' $1=""'),
    );
}
