import type { Blind } from "../model/check.ts";
import type { CheckReport, Report, ReportRisk } from "../model/report.ts";
import { count } from "./count.ts";
import { blindLine, sortBlind } from "./document-checks.ts";
import { painter } from "./paint.ts";
import type { View } from "./view.ts";
import { wrap } from "./wrap.ts";

type Options = Pick<View, "accepted" | "colour" | "width">;

const MAX_PLACES = 5;

/** The checks that could not look: at what, why, and what to do about it. */
export function blindSection({ checks, risks }: Report, options: Options): readonly string[] {
  const blind = checks.flatMap((check) =>
    check.outcome.kind === "unknown" ? [checkLines(check, check.outcome.blind, risks, options)] : [],
  );
  return blind.flatMap((lines, i) => [...(i === 0 ? [] : [""]), ...lines]);
}

function checkLines(
  { id, title }: CheckReport,
  blind: readonly Blind[],
  risks: readonly ReportRisk[],
  options: Options,
): readonly string[] {
  const { colour, width } = options;
  const risk = risks.find((one) => one.unknown && one.check === id);
  return [
    `  ${painter(colour).yellow(id)}${risk ? acceptance(risk.name, options) : ""}`,
    ...wrap("    ", title, width),
    ...places(blind, width),
    ...(risk ? [...wrap("    Do     ", risk.remediation, width), ...wrap("    See    ", risk.url, width)] : []),
  ];
}

function acceptance(name: string, { accepted }: Options): string {
  return ` (${name}${accepted.has(name) ? ", accepted" : ""})`;
}

const LEAD = "    Where  ";
const INDENT = " ".repeat(LEAD.length);

function places(blind: readonly Blind[], width: number): readonly string[] {
  const lines = sortBlind(blind)
    .slice(0, MAX_PLACES)
    .flatMap((one, i) => wrap(i === 0 ? LEAD : INDENT, `${blindLine(one)}${reasonOf(one)}`, width));
  const more = blind.length - MAX_PLACES;
  return more > 0 ? [...lines, ...wrap(INDENT, `and ${count(more, "more")} (all with -o json)`, width)] : lines;
}

/** The reason is a word to search for; a line without a message has it already. */
function reasonOf({ reason, message }: Blind): string {
  return message === "" ? "" : ` (${reason})`;
}
