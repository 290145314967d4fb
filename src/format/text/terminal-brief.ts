import { toLine } from "../../model/visible-text.ts";
import type { Brief, NextStep } from "./page.ts";
import { TONE_STYLES } from "./painter.ts";
import { type CardFrame, formatHyperlink } from "./terminal-card.ts";
import { wrapText } from "./wrapping.ts";

/** "Name: what is wrong", and the next step. A command is never wrapped, so that it can be copied. */
export function formatBrief(brief: Brief, { paint, options }: CardFrame): readonly string[] {
  const { title, tone, text, next, url = "" } = brief;
  const name = toLine(title);
  const [first = "", ...others] = wrapText("", `${name}: ${text}`, options.width, "  ");
  const style = TONE_STYLES[tone];
  const linked = paint(style, formatHyperlink(title, url, options.links === true));
  const lead = first.startsWith(name) ? `${linked}${first.slice(name.length)}` : paint(style, first);
  return [lead, ...others, ...formatNextStep(next, options.width)];
}

function formatNextStep({ label, text, isCommand }: NextStep, width: number): readonly string[] {
  const lead = `  ${label}  `;
  return isCommand ? [`${lead}${toLine(text)}`] : wrapText(lead, text, width);
}
