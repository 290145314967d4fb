import { formatJsonText } from "../../../../format/text/json-text.ts";
import { formatCount } from "../../../../model/count.ts";
import type { OutcomeKind } from "../../../../model/report.ts";
import { countJudged, type Tally } from "./tally.ts";

/** What checks say of recorded clusters. `unread`: those that could not be judged, and why. */
export type BacktestReport = {
  readonly clusters: number;
  readonly unread: readonly { readonly name: string; readonly message: string }[];
  readonly checks: readonly Tally[];
};

export const backtestFormats = {
  text: ({ clusters, unread, checks }: BacktestReport) => {
    const lines = unread.map(({ name, message }) => `not judged: ${name}: ${message}`);
    return `${[formatCount(clusters, "cluster"), ...lines, ...checks.flatMap(formatTally)].join("\n")}\n`;
  },
  json: (report: BacktestReport) => formatJsonText(report),
};

const NAMES: readonly (readonly [OutcomeKind, string])[] = [
  ["risk", "risk"],
  ["unknown", "unknown"],
  ["clear", "clear"],
  ["notApplicable", "not applicable"],
];
const COLUMNS = 16;
const INDENT = "  ";

function formatTally(tally: Tally): readonly string[] {
  const { check, title, objects, findings } = tally;
  const rows = NAMES.flatMap(([kind, name]) => {
    const { clusters, texts } = tally.outcomes[kind];
    const share = kind === "risk" ? ` (${formatShare(clusters, countJudged(tally))})` : "";
    return [
      `${INDENT}${name.padEnd(COLUMNS)}${clusters}${share}`,
      ...texts.map(({ text, count }) => `${INDENT.repeat(3)}${count} x ${text}`),
    ];
  });
  return [
    "",
    `${check}: ${title}`,
    ...rows,
    `${INDENT}${formatCount(objects, "object")}, ${formatCount(findings, "finding")}`,
  ];
}

/** With one place behind the point, rounded up, so that only none at all is 0%. */
function formatShare(part: number, whole: number): string {
  return whole === 0 ? "of no cluster" : `${Math.ceil((1000 * part) / whole) / 10}%`;
}
