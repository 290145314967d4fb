import { type CheckLimits, createOriginPool } from "../../data-checks/run/limits.ts";
import { EMBEDDED_LIST } from "./bug-data.ts";
import { type BugList, type KnownBug, resolveVersions } from "./known-bug.ts";
import type { CheckReads } from "../../data-checks/build-check.ts";
import { isAffected } from "../../data-checks/format/definition.ts";
import { type Unknown, type Context, type Finding, type Judgement, defineCheck } from "../../model/check.ts";
import { buildRefKey } from "../../model/resource.ts";
import type { CoveredFault } from "../../model/special-check.ts";
import { addListFacts, formatMessage, buildNotice, buildRiskText, buildUnknownNotice } from "./texts.ts";
import { type BugDecision, type BugResults, decide, listPossibleReads, listReads } from "./rules.ts";

/** `limits`: of the entries that this build does not have. */
export function listBugs({ entries }: Pick<BugList, "entries">, limits?: CheckLimits): readonly KnownBug[] {
  return entries.map((entry) => ({
    certainty: "risk",
    ...entry,
    versions: resolveVersions(entry.versions),
    limits,
  }));
}

/** Every known bug of this build, whatever it affects. */
export const KNOWN_BUGS = listBugs(EMBEDDED_LIST);

export default buildKnownBugsCheck(EMBEDDED_LIST);

/** What all entries of a list that this build does not have may spend and keep: as much as one check of its own. */
const LIMITS = { cost: 500_000_000, kept: 64 << 20 };

/** The check with the list of this build, or with another one. */
export function buildKnownBugsCheck(list: BugList) {
  const { head, place } = list;
  const isOwn = place === undefined;
  const pool = isOwn ? undefined : createOriginPool(LIMITS);
  const bugs = isOwn ? KNOWN_BUGS : listBugs(list, { pool });
  const select = (context: Context): readonly KnownBug[] =>
    bugs.filter(({ versions }) => isAffected(versions, context));
  const check = defineCheck({
    id: "known-bugs",
    title: "No known bug of the target affects this cluster",
    risks: bugs.filter(({ certainty }) => certainty === "risk").map(buildRiskText),
    applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
    // Another list may know later releases than the tables of this build.
    basis: isOwn ? "table" : undefined,
    reads() {
      pool?.begin("known-bugs");
      return {};
    },
    mayRead: () => joinReads(bugs, listPossibleReads),
    follow: (_, context): CheckReads => joinReads(select(context), (bug) => listReads(bug, context)),
    special: { covers: (context) => select(context).flatMap(listCovered) },
    evaluate: (_, context, followed) => addListFacts(list, judge(select(context), context, followed), context),
  });
  return isOwn
    ? check
    : { ...check, origin: { kind: "knownBugs", list: head.name, date: head.date, ...place } as const };
}

function listCovered({ published, certainty, name }: KnownBug): readonly CoveredFault[] {
  return published.map((one) => (certainty === "risk" ? { name: one, risk: name } : { name: one }));
}

/** The reads of several bugs: each key begins with its bug. */
function joinReads<R>(
  bugs: readonly KnownBug[],
  list: (bug: KnownBug) => Readonly<Record<string, R>>,
): Readonly<Record<string, R>> {
  const entries = bugs.flatMap((bug) =>
    Object.entries(list(bug)).map(([key, read]) => [formatKey(bug, key), read] as const),
  );
  return Object.fromEntries(entries);
}

function formatKey({ id }: KnownBug, key: string): string {
  return `${id}.${key}`;
}

function selectResults(bug: KnownBug, context: Context, results: BugResults): BugResults {
  return Object.fromEntries(Object.keys(listReads(bug, context)).map((key) => [key, results[formatKey(bug, key)]]));
}

function judge(bugs: readonly KnownBug[], context: Context, results: BugResults): Judgement {
  const { source, target } = context;
  if (bugs.length === 0)
    return {
      notApplicable: `The check's list has no bug that concerns an update from ${source.text} to ${target.text}.`,
    };
  const decisions = bugs.map((bug) => ({ bug, result: decide(bug, context, selectResults(bug, context, results)) }));
  const needed = new Set(decisions.flatMap(({ bug, result }) => listFailed(bug, result)));
  return {
    findings: decisions.flatMap(({ bug, result }) => buildFindings(bug, result, target.text)),
    notices: decisions.flatMap(({ bug, result }) => buildNotices(bug, result, context)),
    unknowns: decisions.flatMap(({ bug, result }) => buildUnknowns(bug, result)),
    irrelevantReads: Object.keys(joinReads(bugs, (bug) => listReads(bug, context))).filter((key) => !needed.has(key)),
    special: { noticedRisks: decisions.flatMap(({ bug, result }) => (isNoticed(bug, result) ? bug.published : [])) },
  };
}

/** A notice speaks without its reads too. */
function listFailed(bug: KnownBug, result: BugDecision): readonly string[] {
  if (bug.certainty !== "risk" || result.kind !== "unknown") return [];
  return result.failed.map((key) => formatKey(bug, key));
}

function buildFindings(bug: KnownBug, result: BugDecision, target: string): readonly Finding[] {
  if (bug.certainty !== "risk" || result.kind !== "yes") return [];
  const message = `${formatMessage(bug, target)}.`;
  return deduplicate(result.objects, buildRefKey).map((object) => ({ risk: bug.name, object, message }));
}

function isNoticed({ certainty }: KnownBug, { kind }: BugDecision): boolean {
  return certainty === "notice" && kind !== "no";
}

function buildNotices(bug: KnownBug, result: BugDecision, context: Context): readonly string[] {
  if (bug.certainty !== "notice" || result.kind === "no") return [];
  if (result.kind === "unknown") return [buildUnknownNotice(bug, context)];
  return [buildNotice(bug, deduplicate(result.objects, buildRefKey), context)];
}

function buildUnknowns(bug: KnownBug, result: BugDecision): readonly Unknown[] {
  if (bug.certainty !== "risk" || result.kind !== "unknown") return [];
  const message = `a value in it can't be parsed, so the check can't tell whether ${bug.name} concerns it`;
  const unknowns = result.unknowns.map((one) => (one.reason === "NotUnderstood" ? { ...one, message } : one));
  return deduplicate(unknowns, ({ where }) => where);
}

function deduplicate<T>(values: readonly T[], getKey: (value: T) => string): readonly T[] {
  return [...new Map(values.map((value) => [getKey(value), value])).values()];
}
