import { type CheckOrigin, describeOrigin, nameOrigin } from "../../model/check-origin.ts";
import { capitalize, formatCount, sortNames } from "../../model/text.ts";
import { compareText } from "../../model/json.ts";
import { findListAge } from "../../model/list-age.ts";
import { type CheckReport, type Report, getNotices } from "../../model/report.ts";
import { formatUnknown, buildUnknownKey } from "../document/document-checks.ts";
import type { Block, Item, Section, Page, PageDecision, PageEntry, TableBlock, Text } from "../text/page.ts";
import { LINEAR, SCREEN, TERMINAL, formatLabel } from "../text/page.ts";
import { formatAcceptanceProblem } from "./acceptances.ts";
import type { View } from "./view.ts";
import type { Unknown } from "../../model/check.ts";
import { UNSEEN_RISKS, type Unseen } from "../../model/unseen.ts";

/** What was not seen, and why, by check. */
export function listUnseen({ unseen, checks }: Pick<Report, "unseen" | "checks">): readonly Item[] {
  return sortUnseen(unseen).map(({ check, unknown }) => {
    const own = checks.find(({ id }) => id === check);
    return { lead: own === undefined ? check : nameCheck(own), text: quote(formatUnknown(unknown), own?.origin) };
  });
}

/** "olm-shop-operator-carts (from operator shop-operator 1.2.3)" */
export function nameCheck({ id, origin }: Pick<CheckReport, "id" | "origin">): string {
  return formatLabel(id, undefined, origin && nameOrigin(origin));
}

/** A text that may be of the author of a check that is not preflight's. */
export function quote(text: string, origin: CheckOrigin | undefined): Text {
  return origin === undefined ? text : [{ foreign: text }];
}

/** Each notice, and the check that gave it. That a list of known bugs is old is said once, at the end of a page. */
export function listNotices({ checks }: Pick<Report, "checks">): readonly Item[] {
  return checks.flatMap(({ id, outcome, origin }) =>
    getNotices(outcome)
      .filter((text) => findListAge(text) === undefined)
      .map((text) => ({ lead: id, text: quote(text, origin) })),
  );
}

/** The line at the end of a page about a list of known bugs that is old: once for all of its reports. */
export function buildListAge(reports: readonly Pick<Report, "checks">[]): readonly Block[] {
  const outcomes = reports.flatMap(({ checks }) => checks.map(({ outcome }) => outcome));
  const texts = outcomes.flatMap((outcome) =>
    outcome.kind === "notApplicable" ? [outcome.reason] : getNotices(outcome),
  );
  return sortNames(texts.flatMap((text) => findListAge(text) ?? [])).map((text) => ({ kind: "text", text }));
}

/** Acceptances that don't hold, and why. */
export function listLapsedAcceptances({ acceptances = [] }: Pick<View, "acceptances">): readonly Item[] {
  return acceptances.flatMap((one) => formatAcceptanceProblem(one) ?? []).map((text) => ({ text }));
}

/** The checks that preflight itself does not have: who brings each, where it stands, and how many objects it judged. */
export function listBroughtChecks(checks: readonly CheckReport[]): readonly Item[] {
  return checks.flatMap((check) => {
    const text = describeBroughtCheck(check);
    return text === undefined ? [] : [{ lead: check.id, text }];
  });
}

/** The same of one check; undefined of preflight's own. */
export function describeBroughtCheck({ origin, ...check }: CheckReport): string | undefined {
  // A notice of the check says which list of known bugs it has.
  if (origin === undefined || origin.kind === "knownBugs") return undefined;
  return `${formatPlace(origin)}: ${formatResult(check)}`;
}

function formatPlace(origin: CheckOrigin): string {
  const text = describeOrigin(origin);
  return text.includes(origin.file) ? text : `${text}, ${origin.file}`;
}

const RESULTS = { clear: "clear", risk: "a risk", unknown: "unknown", notApplicable: "not applicable" } as const;

/** Without any object, a check is clear whatever it looks for. */
function formatResult({ outcome, judged }: Pick<CheckReport, "outcome" | "judged">): string {
  const lists = Object.entries(judged ?? {}).map(([list, count]) => `${list}: ${formatCount(count, "object")}`);
  return `${RESULTS[outcome.kind]}${lists.length === 0 ? "" : ` (${lists.join(", ")})`}`;
}

/** A heading and its items; nothing if there are none. */
export function buildListSection(heading: string, items: readonly Item[], only?: Section["only"]): readonly Section[] {
  if (items.length === 0) return [];
  return [{ kind: "section", heading, only, blocks: [{ kind: "list", items }] }];
}

/** Something that was not seen, and the checks that it leaves incomplete; none if it concerns the whole result. */
export type UnknownCause = { readonly unknown: Unknown; readonly checks: readonly string[] };

/** What was not seen: each cause once. */
export function collectUnknownCauses({ unseen }: Pick<Report, "unseen">): readonly UnknownCause[] {
  const causes = new Map<string, { readonly unknown: Unknown; readonly checks: string[] }>();
  for (const { check, unknown } of sortUnseen(unseen)) {
    const key = buildUnknownKey(unknown);
    const cause = causes.get(key) ?? { unknown, checks: [] };
    if (check !== undefined) cause.checks.push(check);
    causes.set(key, cause);
  }
  return [...causes.values()];
}

/** The checks that could not be completed, without those that were left out. */
export function listIncompleteChecks({ unseen }: Pick<Report, "unseen">): readonly string[] {
  return sortNames(unseen.flatMap(({ check, risk }) => (risk === UNSEEN_RISKS.leftOut ? [] : (check ?? []))));
}

/** The names under which it can be accepted that this was not seen. */
export function listAcceptNames(unseen: readonly Unseen[]): readonly string[] {
  return sortNames(unseen.flatMap(({ risk, accepted }) => (accepted === undefined ? risk : [])));
}

/** By check; what concerns the whole result comes last. */
export function sortUnseen(unseen: readonly Unseen[]): readonly Unseen[] {
  return unseen
    .map((one) => [`${one.check ?? "~"}\u0000${buildUnknownKey(one.unknown)}`, one] as const)
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([, one]) => one);
}

type EntryPage = {
  readonly title: readonly [from: string, to: string];
  readonly summary: string;
  readonly lines: readonly string[];
  readonly decision: PageDecision;
  /** All of them in a line each. */
  readonly overview?: readonly TableBlock[];
  readonly sections: readonly (readonly [heading: string, entries: readonly PageEntry[]])[];
  readonly verdict: string;
};

/** A page about how one state differs from another. Sections without an entry are left out. */
export function buildEntryPage({ title, summary, lines, overview = [], sections, verdict, ...page }: EntryPage): Page {
  return {
    ...page,
    title,
    headline: { only: LINEAR, text: `${title.join(" -> ")}: ${summary}` },
    lines: lines.map((text) => ({ text, only: SCREEN })),
    blocks: [
      { kind: "list", only: ["markdown"], items: lines.map((text) => ({ text })) },
      ...overview,
      ...sections.flatMap(([heading, entries], i): readonly Section[] =>
        entries.length === 0
          ? []
          : [{ kind: "section", heading, anchor: `part-${i + 1}`, blocks: buildEntries(entries) }],
      ),
      { kind: "text", only: `${page.decision.words}.` === verdict ? TERMINAL : LINEAR, text: verdict },
    ],
  };
}

/** More names than these, of which nothing is said, are folded. */
const MAX_NAMES_OPEN = 3;

function buildEntries(entries: readonly PageEntry[]): readonly Block[] {
  const isBare = entries.every(({ texts = [], points = [] }) => texts.length + points.length === 0);
  const block: Block = { kind: "entries", entries };
  if (!isBare || entries.length <= MAX_NAMES_OPEN) return [block];
  const summary = formatCount(entries.length, "name");
  return [
    { ...block, only: LINEAR },
    { kind: "details", only: ["html"], summary, isOpen: false, blocks: [block] },
  ];
}

/** "no risk in either" as a sentence. */
export function toSentence(text: string): string {
  return `${capitalize(text)}.`;
}
