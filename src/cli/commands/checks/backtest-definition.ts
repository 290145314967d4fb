import type { CommandDefinition, CommandValues } from "../../settings/command.ts";
import { outputSettings, targetSettings } from "../../settings/shared-settings.ts";
import { formatJsonText } from "../../../model/visible-text.ts";
import { formatCount } from "../../../model/text.ts";
import { type OutcomeKind, type Outcome, findingsOf } from "../../../model/report.ts";
import { compareText } from "../../../model/json.ts";

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
  const { check, title, objects, findings, notRecorded } = tally;
  const rows = NAMES.flatMap(([kind, name]) => {
    const { clusters, texts } = tally.outcomes[kind];
    const share = kind === "risk" ? ` (${formatShare(clusters, countJudged(tally))})` : "";
    const lacking = kind === "unknown" && notRecorded > 0 ? ` (${notRecorded} of them by what was not recorded)` : "";
    return [
      `${INDENT}${name.padEnd(COLUMNS)}${clusters}${share}${lacking}`,
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

export const backtestChecks = {
  name: "checks backtest",
  describe: "Run checks over many recorded clusters, and count what they say",
  settings: {
    ...targetSettings,
    "max-risk": {
      group: "output",
      placeholder: "PERCENT",
      describe:
        "Exit with 3 if a check reports a risk on more than this share of the clusters that it judges, such as 5%",
    },
    "max-unknown": {
      group: "output",
      placeholder: "PERCENT",
      default: "0%",
      describe: "Exit with 4 if a check is unknown on more than this share of them",
    },
    ...outputSettings(backtestFormats, "Output format, and others for files", "text"),
  },
  operand: [
    { name: "checks", placeholder: "FILE|DIR", describe: "File with checks, or folder with such files" },
    {
      name: "recordings",
      placeholder: "RECORDING|TAR",
      describe:
        "Recorded clusters (see 'preflight record'), must-gathers or cases of checks, or folders with any of them",
      isList: true,
    },
  ],
  examples: [
    {
      command: "preflight checks backtest my-check recordings/ --max-risk 5%",
      describe: "Find out on how many of the recorded clusters a check reports a risk",
    },
  ],
  exitCodes: {
    0: "no check reports a risk, or is unknown, on too many clusters",
    1: "a file can't be read, or no cluster can be judged",
    2: "wrong usage",
    3: "a check reports a risk on more clusters than --max-risk allows, or has an error",
    4: "a check is unknown on more clusters than --max-unknown allows, or a cluster could not be read",
  },
  process: "long",
} as const satisfies CommandDefinition;

export type BacktestValues = CommandValues<typeof backtestChecks>;

/** What a check says of one cluster. `objects`: of the kinds that it reads. */
export type ClusterVerdict = { readonly outcome: Outcome; readonly objects: number };

/** A text, and how often the check says it. */
type TextCount = { readonly text: string; readonly count: number };

/** How many clusters have an outcome, and its most frequent texts. */
type OutcomeTally = { readonly clusters: number; readonly texts: readonly TextCount[] };

/** What a check says of all clusters. */
type Tally = {
  readonly check: string;
  readonly title: string;
  readonly objects: number;
  readonly findings: number;
  readonly outcomes: Readonly<Record<OutcomeKind, OutcomeTally>>;
  /** The clusters on which it is unknown for nothing else than what the recording or archive lacks. */
  readonly notRecorded: number;
};

const MAX_TEXTS = 5;

export function buildTally(check: string, title: string, verdicts: readonly ClusterVerdict[]): Tally {
  const outcomes = verdicts.map(({ outcome }) => outcome);
  const tally = (kind: OutcomeKind): OutcomeTally => buildOutcomeTally(outcomes.filter((one) => one.kind === kind));
  return {
    check,
    title,
    objects: verdicts.reduce((sum, { objects }) => sum + objects, 0),
    findings: outcomes.reduce((sum, outcome) => sum + findingsOf(outcome).length, 0),
    outcomes: {
      risk: tally("risk"),
      clear: tally("clear"),
      unknown: tally("unknown"),
      notApplicable: tally("notApplicable"),
    },
    notRecorded: outcomes.filter(isNotRecorded).length,
  };
}

function isNotRecorded(outcome: Outcome): boolean {
  return outcome.kind === "unknown" && outcome.unknowns.every(({ reason }) => reason === "NotRecorded");
}

function buildOutcomeTally(outcomes: readonly Outcome[]): OutcomeTally {
  const byText = Map.groupBy(outcomes.flatMap(listTexts), (text) => text);
  const texts = [...byText].map(([text, all]) => ({ text, count: all.length }));
  const sorted = texts.toSorted((a, b) => b.count - a.count || compareText(a.text, b.text));
  return { clusters: outcomes.length, texts: sorted.slice(0, MAX_TEXTS) };
}

/** Without what belongs to one cluster only, such as the names of objects. */
function listTexts(outcome: Outcome): readonly string[] {
  switch (outcome.kind) {
    case "clear":
      return outcome.notices;
    case "risk":
      return outcome.findings.map(({ risk, message }) => `${risk}: ${message}`);
    case "unknown":
      return outcome.unknowns.map(({ where, message }) => `${where}: ${message}`);
    case "notApplicable":
      return [outcome.reason];
  }
}

/** The clusters to which the check applies. */
function countJudged({ outcomes: { risk, clear, unknown } }: Tally): number {
  return risk.clusters + clear.clusters + unknown.clusters;
}

/** Whether the check has this outcome on more than this share of the clusters to which it applies, in percent. */
export function isOverShare(tally: Tally, kind: "risk" | "unknown", maxPercent: number): boolean {
  return tally.outcomes[kind].clusters * 100 > maxPercent * countJudged(tally);
}
