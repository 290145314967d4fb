import type { Effect } from "../../model/check.ts";
import { classifyCommands, type CommandUse } from "../../model/commands.ts";
import { formatCount } from "../../model/count.ts";
import { formatFixLabel } from "../text/command-labels.ts";
import type { Report } from "../../model/report.ts";
import { takeClauses, takeSentences } from "../../model/sentences.ts";
import type { Block, Brief, Item, NextStep, ObjectCommand, ObjectEntry, Section, TableBlock } from "../text/page.ts";
import { buildListSection } from "./lists.ts";
import { buildObjects, findLimitedChecks } from "./risk-sections.ts";
import type { View } from "./view.ts";
import { formatAcceptance, groupRisks, type RiskEntry, type RiskGroup } from "./work-order.ts";

/** Two lines of 100 columns with the name, and one: eight risks fit a screen. */
const MAX_TEXT = 195;
const MAX_REMEDY = 95;

const TERMINAL_ONLY = { only: ["terminal"] } as const;

/** What each effect means, in a column. */
const EFFECT_WORDS: Readonly<Record<Effect, string>> = {
  refused: "refused",
  notRecommended: "not recommended",
  stuck: "stuck",
  broken: "breaks",
};

type FixCommand = Extract<ObjectCommand, { kind: "fix" }>;
type OpenRisk = {
  readonly tone: Effect;
  readonly entry: RiskEntry;
  readonly objects: readonly ObjectEntry[];
  /** Whether there are more objects than are known by name. */
  readonly isLimited: boolean;
};

/** All risks in a line each, then what each is about and what to do next, in the order of work. */
export function buildFirstScreen(report: Report, view: Pick<View, "accepted" | "acceptances">): readonly Block[] {
  const groups = groupRisks(report, view);
  const open = groups.flatMap((group) => listOpenRisks(group, findLimitedChecks(report)));
  return [...(open.length === 0 ? [] : [buildOverview(open)]), ...open.map(buildBrief), ...buildAccepted(groups)];
}

function listOpenRisks({ kind, entries }: RiskGroup, limited: ReadonlySet<string>): readonly OpenRisk[] {
  if (kind === "accepted") return [];
  return entries.map((entry) => ({
    tone: kind,
    entry,
    objects: buildObjects(entry.findings),
    isLimited: limited.has(entry.risk.check ?? ""),
  }));
}

function buildOverview(risks: readonly OpenRisk[]): TableBlock {
  return {
    kind: "table",
    ...TERMINAL_ONLY,
    head: ["Effect", "Risk", "Objects", "Takes", "Mended by"],
    rows: risks.map(({ tone, entry: { risk }, objects, isLimited }) => [
      EFFECT_WORDS[tone],
      risk.name,
      formatObjects(objects, isLimited),
      risk.leadTime ?? "minutes",
      formatRemedyKind(objects),
    ]),
    tones: risks.map(({ tone }) => tone),
    flexible: 2,
  };
}

/** More than most terminals have room for. */
const MAX_NAMES = 20;

/** "shop/checkout", "4: billing/invoices, billing/ledger, shop/catalogue", "over 10000: n1, ..." */
function formatObjects(objects: readonly ObjectEntry[], isLimited: boolean): string {
  const names = objects.slice(0, MAX_NAMES).map(({ name }) => name);
  if (objects.length < 2 && !isLimited) return names[0] ?? "";
  const more = objects.length > MAX_NAMES ? ", ..." : "";
  return `${isLimited ? "over " : ""}${objects.length}: ${names.join(", ")}${more}`;
}

const REMEDY_KINDS: Readonly<Record<CommandUse, string>> = {
  "as printed": "",
  "with a choice": "a choice",
  "in an editor": "an editor",
};

/** Whether one command mends it. */
function formatRemedyKind(objects: readonly ObjectEntry[]): string {
  const fixes = listFixes(objects);
  if (fixes.length === 0) return "hand";
  return REMEDY_KINDS[classifyCommands(fixes.map(({ text }) => text))] || formatCount(fixes.length, "command");
}

/** Each command once. One that weakens a protection is nobody's next step: the remedy says what else helps. */
function listFixes(objects: readonly ObjectEntry[]): readonly FixCommand[] {
  const fixes = objects.flatMap(({ commands }) => commands).filter((one): one is FixCommand => one.kind === "fix");
  return [...new Map(fixes.map((one) => [one.text, one])).values()].filter(({ fixKind }) => fixKind !== "weakening");
}

function buildBrief({ tone, entry: { risk }, objects }: OpenRisk): Brief {
  return {
    kind: "brief",
    ...TERMINAL_ONLY,
    title: risk.name,
    tone,
    text: takeSentences(risk.description, MAX_TEXT - risk.name.length),
    next: buildNextStep(listFixes(objects), risk.remediation),
    url: risk.url,
  };
}

function buildNextStep([first, ...others]: readonly FixCommand[], remedy: string): NextStep {
  if (first === undefined) return { label: "Do", text: takeClauses(remedy, MAX_REMEDY), isCommand: false };
  const count = others.length === 0 ? "" : `, 1 of ${others.length + 1}`;
  return { label: `${formatFixLabel(first.fixKind)}${count}`, text: first.text, isCommand: true };
}

/** "DualStackNetworks (7 objects): Accepted until 2026-12-31: why" */
function buildAccepted(groups: readonly RiskGroup[]): readonly Section[] {
  const accepted = groups.flatMap(({ kind, entries }) => (kind === "accepted" ? entries : []));
  return buildListSection("Accepted", accepted.map(buildAcceptedItem), ["terminal"]);
}

function buildAcceptedItem({ risk, findings, acceptances }: RiskEntry): Item {
  const objects = buildObjects(findings);
  const reasons = acceptances.map(formatAcceptance).join(" ");
  return { text: `${risk.name} (${formatCount(objects.length, "object")})${reasons === "" ? "" : `: ${reasons}`}` };
}
