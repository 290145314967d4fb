import { wrapText } from "../../../format/text/wrapping.ts";
import {
  type Check,
  type Effect,
  type LeadTime,
  type RiskText,
  getRemediation,
  getUnknownRiskName,
} from "../../../model/check.ts";
import type { FixKind } from "../../../model/fix-kind.ts";
import { joinNames } from "../../../model/names.ts";
import { replaceProgram, replaceProgramIn } from "../../../model/program-name.ts";
import { UNSEEN_RISK_TITLES } from "../../../model/unseen.ts";
import { describeCheck, formatPlatforms } from "../../checks/check-metadata.ts";
import { describeBackground } from "../../checks/risk-background.ts";
import { buildExampleCommands } from "./example-commands.ts";

/** One labelled row: a text is wrapped, and a command or a link stays whole, since it is copied. */
type Row = readonly [label: string, text: string, isWhole?: "whole"];

const LABEL_COLUMNS = 11;
const INDENT = "  ";

/** The columns of a page, and what the user calls this program. */
export type Frame = { readonly width: number; readonly program: string };

/** A row whose label is that of the row above does not repeat it. */
function formatPage(
  title: string,
  rows: readonly Row[],
  { width, program }: Frame,
  more: readonly string[] = [],
): string {
  const lines = replaceProgramIn(rows, program).flatMap(([label, text, isWhole], i) => {
    const lead = (rows[i - 1]?.[0] === label ? "" : `${label}:`).padEnd(LABEL_COLUMNS);
    return isWhole ? [`${lead}${text}`] : wrapText(lead, text, width);
  });
  const head = wrapText("", replaceProgram(title, program), width);
  return `${[...head, "", ...lines, ...replaceProgramIn(more, program)].join("\n")}\n`;
}

/** A check, with its risks and its reads as lists. */
export function formatCheck(check: Check, frame: Frame): string {
  const { id, title, applies, unknownRisk, reads, readsKindsOfTarget, onRequest, origin } = describeCheck(check);
  const rows: readonly Row[] = [
    ["Updates", applies],
    ["Platforms", formatPlatforms(check)],
    ...listFileRows(origin),
    ...(onRequest === undefined ? [] : [["Note", `Runs only if --only names it. ${onRequest}`] as const]),
  ];
  const risks = [...check.risks, { name: unknownRisk, title: "The check could not be completed" }];
  return formatPage(`${id}: ${title}`, rows, frame, [
    "",
    "Risks ('preflight explain RISK' says what to do):",
    ...listTitles(risks, frame),
    "",
    "Reads:",
    ...reads.map((path) => `${INDENT}${path}`),
    ...(readsKindsOfTarget ? [`${INDENT}objects of kinds that the target ships`] : []),
  ]);
}

type Named = { readonly name: string; readonly title: string };

function listTitles(named: readonly Named[], { width }: Frame): readonly string[] {
  return named.flatMap(({ name, title }) => [`${INDENT}${name}`, ...wrapText(INDENT.repeat(2), title, width)]);
}

/** The checks and risks that have some words, with their titles. */
export function formatMatches(
  words: readonly string[],
  { checks, risks }: { readonly checks: readonly Named[]; readonly risks: readonly Named[] },
  frame: Frame,
): string {
  const title = `What has ${joinNames(words.map((word) => `"${word}"`))} in its name or title ('preflight explain NAME' says more)`;
  return formatPage(title, [], frame, [
    ...(checks.length === 0 ? [] : ["Checks:", ...listTitles(checks, frame)]),
    ...(checks.length === 0 || risks.length === 0 ? [] : [""]),
    ...(risks.length === 0 ? [] : ["Risks:", ...listTitles(risks, frame)]),
  ]);
}

const EFFECTS: Readonly<Record<Effect, string>> = {
  refused: "The update does not start.",
  notRecommended: "The update is not recommended: it starts only with --allow-not-recommended.",
  stuck: "The update starts and cannot finish.",
  broken: "The update finishes, and something no longer works.",
};

const LEAD_TIMES: Readonly<Record<LeadTime, string>> = {
  days: "The remedy usually takes days.",
  hours: "The remedy usually takes hours.",
  minutes: "The remedy usually takes minutes.",
};

const FIX_KINDS: Readonly<Record<FixKind, string>> = {
  safe: "Safe: the commands change nothing that runs or serves, and can be undone.",
  disruptive: "Disruptive: the commands restart, drain or delete something, or interrupt somebody.",
  weakening: "Weakens: the commands take away a protection.",
};

/** One screen about one risk: what it is, whom it concerns, and what to do. */
export function formatRisk(check: Check, risk: RiskText, frame: Frame): string {
  const { see, fix, fixKind } = buildExampleCommands(check, risk);
  const { concerns, releases, certainty } = describeBackground(check, risk);
  const rows: readonly Row[] = [
    ["Concerns", concerns],
    ...releases.map((text): Row => ["Releases", text]),
    ["How sure", certainty],
    ["Effect", `${EFFECTS[risk.effect]} ${LEAD_TIMES[risk.leadTime ?? "minutes"]}`],
    ["Remedy", getRemediation(risk)],
    ...see.map((command): Row => ["See", command, "whole"]),
    ...fix.map((command): Row => ["Fix", command, "whole"]),
    ...(fixKind === undefined || fix.length === 0 ? [] : [["Fix kind", FIX_KINDS[fixKind]] as const]),
    ...listOtherNames(risk).map((text): Row => ["Also", text]),
    buildCheckRow(check),
    ...listFileRows(check.origin),
    ["Link", risk.url, "whole"],
  ];
  return formatPage(`${risk.name}: ${risk.title}`, rows, frame);
}

function buildCheckRow({ id }: Check): Row {
  return ["Check", `${id} (preflight explain ${id})`];
}

/** Whose text it is, if it is not preflight's. */
function listFileRows(origin: Check["origin"]): readonly Row[] {
  return origin === undefined ? [] : [["File", origin.file, "whole"]];
}

function listOtherNames({ knownAs: { published = [], liftedAs } = {} }: RiskText): readonly string[] {
  return [
    ...(published.length === 0 ? [] : [`The update service calls it ${joinNames(published)}.`]),
    ...(liftedAs === undefined ? [] : [`The cluster-version operator reports it as ${liftedAs} (see --lifted).`]),
  ];
}

/** The risk that reports an incomplete check. */
export function formatUnknownRisk(check: Check, frame: Frame): string {
  const means = "The check says nothing about this update. The output names what could not be read, and why.";
  const remedy =
    "Remove the reason that the output names. If rights are missing, the output and 'preflight rbac' show those that the check needs.";
  const rows: readonly Row[] = [
    ["Means", means],
    ["Remedy", remedy],
    buildCheckRow(check),
    ...listFileRows(check.origin),
  ];
  return formatPage(`${getUnknownRiskName(check)}: the check could not be completed`, rows, frame);
}

/** A risk that concerns the whole result: what it means, and what to do. */
type UnseenExplanation = {
  readonly name: keyof typeof UNSEEN_RISK_TITLES;
  readonly means: string;
  readonly remedy: string;
};

export const UNSEEN_EXPLANATIONS: readonly UnseenExplanation[] = [
  {
    name: "PreflightChecksLeftOut",
    means: "--only or --skip left out checks that apply to the update. What they would find is not known.",
    remedy:
      'Run preflight without these settings. To leave a check out for good, write down why in the file of --config: "accept: [{check: ID, reason: ..., until: 2026-12-31}]". "--fail-on risk" is for scripts that want only the risks of the checks that ran.',
  },
  {
    name: "PreflightMinorsBetween",
    means:
      "Minors lie between the cluster's version and the target, and the update is not known to be offered as one. Then each is an update of its own, and only the last release was checked.",
    remedy: '"preflight plan --to VERSION" checks each of them.',
  },
  {
    name: "PreflightNothingChecked",
    means: "None of the checks applies to this update, so nothing is known of it.",
    remedy: "Make sure that the target is the right one, and read its release notes.",
  },
];

export function formatUnseenRisk({ name, means, remedy }: UnseenExplanation, frame: Frame): string {
  const rows: readonly Row[] = [
    ["Means", means],
    ["Remedy", remedy],
  ];
  return formatPage(`${name}: ${UNSEEN_RISK_TITLES[name]}`, rows, frame);
}
