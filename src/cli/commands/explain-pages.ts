import { wrapText } from "../../format/text/terminal-text.ts";
import type { Check, Effect, LeadTime, RiskText, Context, Finding } from "../../model/check.ts";
import { getRemediation, getUnknownRiskName, buildContext, isOn } from "../../model/check.ts";
import { type FixKind, type Commands, buildObjectCommand, getCommandName, getFixKind } from "../../model/commands.ts";
import { describeOrigin } from "../../model/check-origin.ts";
import { joinNames } from "../../model/text.ts";
import { replaceProgram, replaceProgramIn } from "../../model/program-name.ts";
import { UNSEEN_RISK_TITLES } from "../../model/unseen.ts";
import { describeBackground, describeCheck, formatPlatforms } from "../checks/check-metadata.ts";
import type { Each, Get } from "../../model/read.ts";
import { formatGroupResource } from "../../model/resource.ts";
import { type Platform, parseVersion } from "../../model/version.ts";
import { buildPlainFacts } from "../../runner/facts/cluster-facts.ts";
import { getReads } from "../checks/cluster-role.ts";
import { buildVersionRelease } from "../target-release/target.ts";

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

const HOSTED_NOTE = "Runs only on a management cluster, for --hosted-cluster and 'preflight fleet --hosted-clusters'.";

/** A check, with its risks and its reads as lists. */
export function formatCheck(check: Check, frame: Frame): string {
  const { id, title, applies, unknownRisk, reads, readsKindsOfTarget, onRequest, subject, origin } =
    describeCheck(check);
  const rows: readonly Row[] = [
    ["Updates", applies],
    ["Platforms", formatPlatforms(check)],
    ...listFileRows(origin),
    ...(onRequest === undefined ? [] : [["Note", `Runs only if --only names it. ${onRequest}`] as const]),
    ...(subject === undefined ? [] : [["Note", HOSTED_NOTE] as const]),
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
    ...listHosted(check, risk).map((text): Row => ["Hosted", text]),
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

/** What differs where the control plane is hosted. */
function listHosted({ hosted }: Check, { getHostedRemedy }: RiskText): readonly string[] {
  if (hosted?.notApplicable !== undefined) return [hosted.notApplicable];
  return getHostedRemedy === undefined ? [] : [getHostedRemedy()];
}

function buildCheckRow({ id }: Check): Row {
  return ["Check", `${id} (preflight explain ${id})`];
}

/** Whose text it is, if it is not preflight's. */
function listFileRows(origin: Check["origin"]): readonly Row[] {
  if (origin === undefined) return [];
  return [
    ["From", origin.kind === "site" ? "a file of --checks" : describeOrigin(origin)],
    ["File", origin.file, "whole"],
  ];
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

/** The commands of an example finding depend on its platform only, and never on these versions. */
const ANY_VERSION = "4.20.0";
/** A check that reads more kinds than these shows no single fact. */
const MAX_SEEN = 3;

/** Commands that show what a risk is about, and an example of those that remove it. */
export function buildExampleCommands(check: Check, risk: RiskText): Omit<Commands, "fixKind"> & Partial<Commands> {
  const { name, example, see } = risk;
  const context = buildExampleContext(example?.platform ?? findFirstPlatform(check));
  if (example === undefined || context === undefined) return { see: buildSeeCommands(check), fix: [] };
  const finding: Finding = { risk: name, message: "", ...example };
  const commands = see?.(finding, context) ?? [buildObjectCommand(context.platform, "get", finding.object)];
  const shown = commands.map(withoutQuotes);
  if (risk.fix === undefined) return { see: shown, fix: [] };
  const fix = risk.fix(finding, context).map(withoutQuotes);
  return { see: shown, fix, fixKind: getFixKind(risk.fixKind, finding) };
}

/** A placeholder is quoted as any text that a shell would read in another way. */
function withoutQuotes(command: string): string {
  return command.replaceAll(/'([^'{ ]*<[a-z-]+>[^'{ ]*)'/g, "$1");
}

function findFirstPlatform(check: Check): Platform {
  return isOn("openshift", check) ? "openshift" : "kubernetes";
}

/** The check's own reads, as an administrator would perform them. */
function buildSeeCommands(check: Check): readonly string[] {
  const program = getCommandName(findFirstPlatform(check));
  const reads = getReads(check).filter((read) => read.kind === "get" || read.kind === "each");
  const commands = [...new Set(reads.map((read) => formatGet(program, read)))];
  return commands.length > MAX_SEEN ? [] : commands;
}

function formatGet(program: string, read: Get | Each): string {
  const resource = formatGroupResource(read.resource);
  if (read.kind === "each") return `${program} get ${resource} -A`;
  const namespace = read.namespace === undefined ? "" : ` -n ${read.namespace}`;
  return `${program}${namespace} get ${resource}/${read.name} -o yaml`;
}

function buildExampleContext(platform: Platform): Context | undefined {
  const version = parseVersion(ANY_VERSION);
  if (version === undefined) return undefined;
  const release = buildVersionRelease(version, undefined, "", buildPlainFacts(version));
  return buildContext(version, release, new Date(0), platform);
}
