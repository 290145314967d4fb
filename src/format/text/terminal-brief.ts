import { toLine } from "../../model/visible-text.ts";
import type { Brief, NextStep } from "./page.ts";
import { getTonePaint } from "./painter.ts";
import { type CardFrame, formatHyperlink } from "./terminal-card.ts";
import { wrapText } from "./wrapping.ts";

const INDENT = "  ";

/** "Name: what is wrong", and the next step. A command is never wrapped, so that it can be copied. */
export function formatBrief(brief: Brief, { painter, options }: CardFrame): readonly string[] {
  const { title, tone, text, next, url = "" } = brief;
  const name = toLine(title);
  const [first = "", ...others] = wrapText("", `${name}: ${text}`, options.width, INDENT);
  const linked = getTonePaint(tone, painter)(formatHyperlink(title, url, options.links === true));
  return [first.replace(name, () => linked), ...others, ...formatNextStep(next, options.width)];
}

function formatNextStep({ label, text, isCommand }: NextStep, width: number): readonly string[] {
  const lead = `${INDENT}${label}  `;
  return isCommand ? [`${lead}${toLine(text)}`] : wrapText(lead, text, width);
}
