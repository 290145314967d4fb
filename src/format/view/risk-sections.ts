import type { Finding, Effect } from "../../model/check.ts";
import { joinNames, sortNames, formatCount, takeClauses, takeSentences } from "../../model/text.ts";
import type { Report } from "../../model/report.ts";
import { formatOwner } from "../../model/owner.ts";
import { buildRefKey, formatRef } from "../../model/resource.ts";
import type {
  Card,
  ObjectCommand,
  Facts,
  ObjectEntry,
  Section,
  Block,
  Brief,
  Item,
  NextStep,
  TableBlock,
  Text,
} from "../text/page.ts";
import { formatFixLabel, formatLabel, TERMINAL_ONLY, toPlainText } from "../text/page.ts";
import type { RiskBackground, View, Accepted, RiskEntry } from "./view.ts";
import { formatAcceptance, formatLeadTime, groupRisks } from "./view.ts";
import { classifyCommands, type CommandUse } from "../../model/commands.ts";
import { listFileTexts } from "./finding-files.ts";
import { buildListSection } from "./lists.ts";
import { nameOrigin } from "../../model/check-origin.ts";
import type { Recheck } from "./recheck-page.ts";

type CardView = Pick<View, "backgrounds" | "files">;

/** The risks that were found, in the order of work; accepted ones come last. Those of incomplete checks have their own section. */
export function buildRiskSections(report: Report, view: Accepted & CardView): readonly Section[] {
  const limited = new Set(report.checks.filter(({ omittedFindings }) => omittedFindings).map(({ id }) => id));
  return groupRisks(report, view).map(({ kind, heading, entries }) => ({
    kind: "section",
    heading,
    tone: kind,
    blocks: entries.map((entry) => buildRiskCard(entry, kind, limited.has(entry.risk.check ?? ""), view)),
  }));
}

export function buildRiskCard(
  entry: RiskEntry,
  tone: Card["tone"],
  isLimited: boolean,
  { backgrounds, files }: CardView,
): Card {
  const { risk, findings, acceptances } = entry;
  const origin = risk.origin && nameOrigin(risk.origin);
  return {
    kind: "card",
    title: risk.name,
    tone,
    badge: formatLeadTime(risk),
    takes: risk.leadTime,
    quotes: acceptances.map(formatAcceptance),
    text: risk.description,
    origin,
    objects: buildObjects(findings, origin, files),
    isLimited,
    remedy: risk.remediation,
    url: risk.url,
    facts: buildFacts(entry, backgrounds?.get(risk.name)),
  };
}

/** Each object once, with its faults and its commands. */
function buildObjects(
  findings: readonly Finding[],
  origin: string | undefined,
  files: View["files"],
): readonly ObjectEntry[] {
  const groups = [...Map.groupBy(findings, ({ object }) => buildRefKey(object)).values()];
  return groups.flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const { kind, namespace, name } = first.object;
    return {
      ref: formatRef(first.object),
      kind,
      name: namespace === undefined ? name : `${namespace}/${name}`,
      places: own,
      details: listDetails(own),
      commands: listCommands(own, origin),
      files: listFileTexts(own, files),
    };
  });
}

/** What checks know besides the message, such as clients and nodes: "clients: system:serviceaccount:shop:sync". */
function listDetails(findings: readonly Finding[]): readonly string[] {
  const details = findings.flatMap(({ detail = {} }) => Object.entries(detail));
  return [...new Set(details.filter(([, text]) => text !== "").map(([name, text]) => `${name}: ${text}`))];
}

function listCommands(findings: readonly Finding[], origin: string | undefined): readonly ObjectCommand[] {
  const commands = findings.flatMap(({ see = [], fix = [], fixKind }): readonly ObjectCommand[] => [
    ...see.map((text) => ({ kind: "see", text, origin }) as const),
    ...fix.map((text) => ({ kind: "fix", text, origin, fixKind }) as const),
  ]);
  return [...new Map(commands.map((command) => [`${command.kind} ${command.text}`, command])).values()];
}

/** The update service's names, for people who know the risk from there; and what is known of it on any cluster. */
function buildFacts({ risk, findings }: RiskEntry, background: RiskBackground | undefined): readonly Facts[] {
  const names = joinNames(risk.published ?? []);
  const known = [
    ["Concerns", background?.concerns ?? ""],
    ["Releases", background?.releases.join("; ") ?? ""],
    ["How sure", background?.certainty ?? ""],
  ] as const;
  const check = ["Check", risk.check ?? ""] as const;
  return [
    buildRows(["terminal", "wide"], 4, [["Also", names === "" ? "" : `The update service calls it ${names}.`]]),
    buildRows(["wide"], 8, [check, ["Owners", formatOwners(findings)], ["Takes", risk.leadTime ?? ""], ...known]),
    {
      ...buildRows(["html"], 0, [check, ["Owners", formatOwners(findings)], ...known, ["Also called", names]]),
      heading: "More about this risk",
    },
  ];
}

function buildRows(only: Facts["only"], labelWidth: number, rows: Facts["rows"]): Facts {
  return { kind: "facts", only, labelWidth, rows: rows.filter(([, text]) => text !== "") };
}

/** Who owns the objects, since the work is theirs: of each, the first that its marks name; then their namespaces. */
function formatOwners(findings: readonly Finding[]): string {
  const marks = new Set(findings.flatMap(({ owners = [] }) => owners.slice(0, 1).map(formatOwner)));
  const namespaces = sortNames(findings.flatMap(({ object }) => object.namespace ?? []));
  const isClusterScoped = findings.some(({ object }) => object.namespace === undefined);
  return [
    ...marks,
    ...(namespaces.length === 0
      ? []
      : [`${namespaces.length === 1 ? "namespace" : "namespaces"} ${namespaces.join(", ")}`]),
    ...(isClusterScoped ? ["administrators of the cluster"] : []),
  ].join("; ");
}

/** Two lines of 100 columns with the name, and one: eight risks fit a screen. */
const MAX_TEXT = 195;
const MAX_REMEDY = 95;

/** What each effect means, in a column. */
export const EFFECT_WORDS: Readonly<Record<Effect, string>> = {
  refused: "refused",
  notRecommended: "not recommended",
  stuck: "stuck",
  broken: "breaks",
};

type FixCommand = Extract<ObjectCommand, { kind: "fix" }>;
type OpenRisk = { readonly effect: Effect; readonly card: Card; readonly fixes: readonly FixCommand[] };

/** All risks in a line each, then what each is about and what to do next. `sections`: what the other media show of them. */
export function buildFirstScreen(report: Report, sections: readonly Section[]): readonly Block[] {
  const cards = listCards(sections);
  const open = cards.flatMap(listOpenRisk);
  return [
    ...(open.length === 0 ? [] : [buildOverview(open.map(buildOverviewRow(report)))]),
    ...open.map(buildBrief),
    ...buildListSection("Accepted", cards.flatMap(listAccepted), ["terminal"]),
  ];
}

/** Of a second look, what nobody has read about yet. */
export function buildNewBriefs(sections: readonly Section[], { risks }: Recheck): readonly Brief[] {
  const names = new Set(risks.flatMap(({ name, state }) => (state === "new" ? name : [])));
  return listCards(sections)
    .flatMap(listOpenRisk)
    .flatMap((risk) => (names.has(risk.card.title) ? buildBrief(risk) : []));
}

function listCards(sections: readonly Section[]): readonly Card[] {
  return sections.flatMap(({ blocks }) => blocks.filter((block) => block.kind === "card"));
}

function listOpenRisk(card: Card): readonly OpenRisk[] {
  const { tone } = card;
  return tone === "accepted" || tone === "unknown" ? [] : [{ effect: tone, card, fixes: listFixes(card) }];
}

/** Each command once. One that weakens a protection is nobody's next step: the remedy says what else helps. */
function listFixes({ objects = [] }: Card): readonly FixCommand[] {
  const fixes = objects.flatMap(({ commands }) => commands).filter((one) => one.kind === "fix");
  return [...new Map(fixes.map((one) => [one.text, one])).values()].filter(({ fixKind }) => fixKind !== "weakening");
}

/** A risk in a line: `effect` and `rest` are the cells beside its title. */
export type OverviewRow = {
  readonly tone: Effect;
  readonly title: string;
  readonly origin: string | undefined;
  readonly effect: string;
  readonly rest: readonly Text[];
};

export const OVERVIEW_REST = ["Objects", "Takes", "Mended by"] as const;

/** A row for each risk that is not accepted. */
export function buildOverviewRows(report: Report, sections: readonly Section[]): readonly OverviewRow[] {
  return listCards(sections).flatMap(listOpenRisk).map(buildOverviewRow(report));
}

function buildOverviewRow({ risks }: Report): (risk: OpenRisk) => OverviewRow {
  const leadTimes = new Map(risks.map(({ name, leadTime = "minutes" }) => [name, leadTime]));
  return ({ effect, card, fixes }) => ({
    tone: effect,
    title: card.title,
    origin: card.origin,
    effect: EFFECT_WORDS[effect],
    rest: [formatObjects(card), [{ takes: leadTimes.get(card.title) ?? "minutes" }], formatRemedyKind(fixes)],
  });
}

function buildOverview(rows: readonly OverviewRow[]): TableBlock {
  const areOthers = rows.some(({ origin }) => origin !== undefined);
  return {
    kind: "table",
    only: ["terminal", "html"],
    head: ["Effect", "Risk", ...(areOthers ? ["From"] : []), ...OVERVIEW_REST],
    rows: rows.map(({ effect, title, origin = "preflight", rest }) => [
      effect,
      title,
      // What is said of the risk below has the rest.
      ...(areOthers ? origin.split(" ", 1) : []),
      ...rest,
    ]),
    tones: rows.map(({ tone }) => tone),
    flexible: areOthers ? 3 : 2,
    linked: 1,
  };
}

/** More than most terminals have room for. */
const MAX_NAMES = 20;

/** "shop/checkout", "4: billing/invoices, billing/ledger, shop/catalogue", "over 10000: n1, ..." */
function formatObjects({ objects = [], isLimited }: Card): string {
  const names = objects.slice(0, MAX_NAMES).map(({ name }) => name);
  if (objects.length < 2 && !isLimited) return names[0] ?? "";
  const more = objects.length > MAX_NAMES ? ", ..." : "";
  return `${isLimited ? "over " : ""}${objects.length}: ${names.join(", ")}${more}`;
}

const REMEDY_KINDS: Readonly<Record<CommandUse, (count: number) => string>> = {
  "as printed": (count) => formatCount(count, "command"),
  "with a choice": (count) => `${formatCount(count, "command")} to fill in`,
  "in an editor": (count) => formatCount(count, "edit"),
};

/** "2 commands", "1 command to fill in", "4 edits", "hand". */
function formatRemedyKind(fixes: readonly FixCommand[]): string {
  if (fixes.length === 0) return "hand";
  return REMEDY_KINDS[classifyCommands(fixes.map(({ text }) => text))](fixes.length);
}

function buildBrief({ card, fixes }: OpenRisk): Brief {
  const { title, tone, text = "", remedy = "", url = "", origin } = card;
  return {
    kind: "brief",
    ...TERMINAL_ONLY,
    title,
    tone,
    text: takeSentences(toPlainText(text), MAX_TEXT - title.length),
    next: buildNextStep(fixes, remedy, origin),
    files: findNextObject(card, fixes)?.files ?? [],
    url,
  };
}

/** The object of the first fix, or else the first that stands in a file. */
function findNextObject({ objects = [] }: Card, [first]: readonly FixCommand[]): ObjectEntry | undefined {
  return first === undefined
    ? objects.find(({ files }) => files.length > 0)
    : objects.find(({ commands }) => commands.some(({ text }) => text === first.text));
}

function buildNextStep(
  [first, ...others]: readonly FixCommand[],
  remedy: string,
  origin: string | undefined,
): NextStep {
  if (first === undefined)
    return { label: formatLabel("Do", undefined, origin), text: takeClauses(remedy, MAX_REMEDY), isCommand: false };
  const count = others.length === 0 ? "" : `, 1 of ${others.length + 1}`;
  return { label: `${formatFixLabel(first.fixKind, origin)}${count}`, text: first.text, isCommand: true };
}

/** "DualStackNetworks (7 objects): Accepted until 2026-12-31: why" */
function listAccepted({ tone, title, objects = [], isLimited, quotes = [] }: Card): readonly Item[] {
  if (tone !== "accepted") return [];
  const count = `${isLimited ? "over " : ""}${formatCount(objects.length, "object")}`;
  return [{ text: `${title} (${count})${quotes.length === 0 ? "" : `: ${quotes.join(" ")}`}` }];
}
