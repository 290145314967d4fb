import type { Effect } from "../../model/check.ts";
import { classifyCommands, type CommandUse } from "../../model/commands.ts";
import { formatCount } from "../../model/count.ts";
import type { Report } from "../../model/report.ts";
import { takeClauses, takeSentences } from "../../model/sentences.ts";
import { formatFixLabel } from "../text/command-labels.ts";
import {
  type Block,
  type Brief,
  type Card,
  type Item,
  type NextStep,
  type ObjectCommand,
  type Section,
  type TableBlock,
  toPlainText,
} from "../text/page.ts";
import { buildListSection } from "./lists.ts";

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
type OpenRisk = { readonly effect: Effect; readonly card: Card; readonly fixes: readonly FixCommand[] };

/** All risks in a line each, then what each is about and what to do next. `sections`: what the other media show of them. */
export function buildFirstScreen(report: Report, sections: readonly Section[]): readonly Block[] {
  const cards = sections.flatMap(({ blocks }) => blocks.filter((block) => block.kind === "card"));
  const open = cards.flatMap(listOpenRisk);
  return [
    ...(open.length === 0 ? [] : [buildOverview(open, report)]),
    ...open.map(buildBrief),
    ...buildListSection("Accepted", cards.flatMap(listAccepted), ["terminal"]),
  ];
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

function buildOverview(risks: readonly OpenRisk[], report: Report): TableBlock {
  const leadTimes = new Map(report.risks.map(({ name, leadTime = "minutes" }) => [name, leadTime]));
  return {
    kind: "table",
    ...TERMINAL_ONLY,
    head: ["Effect", "Risk", "Objects", "Takes", "Mended by"],
    rows: risks.map(({ effect, card, fixes }) => [
      EFFECT_WORDS[effect],
      card.title,
      formatObjects(card),
      leadTimes.get(card.title) ?? "",
      formatRemedyKind(fixes),
    ]),
    tones: risks.map(({ effect }) => effect),
    flexible: 2,
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

const REMEDY_KINDS: Readonly<Record<CommandUse, string>> = {
  "as printed": "",
  "with a choice": "a choice",
  "in an editor": "an editor",
};

/** Whether one command mends it. */
function formatRemedyKind(fixes: readonly FixCommand[]): string {
  if (fixes.length === 0) return "hand";
  return REMEDY_KINDS[classifyCommands(fixes.map(({ text }) => text))] || formatCount(fixes.length, "command");
}

function buildBrief({ card: { title, tone, text = "", remedy = "", url = "" }, fixes }: OpenRisk): Brief {
  return {
    kind: "brief",
    ...TERMINAL_ONLY,
    title,
    tone,
    text: takeSentences(toPlainText(text), MAX_TEXT - title.length),
    next: buildNextStep(fixes, remedy),
    url,
  };
}

function buildNextStep([first, ...others]: readonly FixCommand[], remedy: string): NextStep {
  if (first === undefined) return { label: "Do", text: takeClauses(remedy, MAX_REMEDY), isCommand: false };
  const count = others.length === 0 ? "" : `, 1 of ${others.length + 1}`;
  return { label: `${formatFixLabel(first.fixKind)}${count}`, text: first.text, isCommand: true };
}

/** "DualStackNetworks (7 objects): Accepted until 2026-12-31: why" */
function listAccepted({ tone, title, objects = [], isLimited, quotes = [] }: Card): readonly Item[] {
  if (tone !== "accepted") return [];
  const count = `${isLimited ? "over " : ""}${formatCount(objects.length, "object")}`;
  return [{ text: `${title} (${count})${quotes.length === 0 ? "" : `: ${quotes.join(" ")}`}` }];
}
