import {
  type Unknown,
  type SpecialSpec,
  type Context,
  type Finding,
  type Judgement,
  defineCheck,
} from "../../model/check.ts";
import type { Reads } from "../../model/read.ts";
import { type ObjectRef, buildRefKey, formatRef, CLUSTER_VERSION } from "../../model/resource.ts";
import { type PredicateDecision, type PredicateValues, decide } from "./decision.ts";
import { KNOWN_BUGS } from "./bugs.ts";
import { type PlanRead, buildPlan, buildReads } from "./predicate-plan.ts";
import { formatMessage, buildNotice, buildRiskText, buildUnknownNotice } from "./texts.ts";
import type { AffectedVersions } from "../../data-checks/definition.ts";
import type { KnownBug } from "./known-bug.ts";
import { type Version, isInRange } from "../../model/version.ts";
import { isBefore, isAtLeast } from "./value-tests.ts";

type FollowUpReads = Readonly<Record<string, PlanRead>>;

export default defineCheck({
  id: "known-bugs",
  title: "No known bug of the target affects this cluster",
  risks: KNOWN_BUGS.filter(({ certainty }) => certainty === "risk").map(buildRiskText),
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  basis: "table",
  reads: () => ({}),
  mayRead: (): Reads => buildFollowUpReads(KNOWN_BUGS),
  follow: (_, context) => buildFollowUpReads(selectBugs(context)),
  special: { covers: (context) => selectBugs(context).flatMap(listCovered) },
  evaluate: (_, context, followed) => judge(selectBugs(context), context, followed),
});

function selectBugs({ source, target }: Context): readonly KnownBug[] {
  return KNOWN_BUGS.filter((bug) => isAffected(bug, source, target));
}

function listCovered({ published, certainty, name }: KnownBug): ReturnType<NonNullable<SpecialSpec["covers"]>> {
  return published.map((one) => (certainty === "risk" ? { name: one, risk: name } : { name: one }));
}

function buildFollowUpReads(bugs: readonly KnownBug[]): FollowUpReads {
  return Object.fromEntries(bugs.flatMap((bug) => buildReads(buildPlan(bug))));
}

function judge(bugs: readonly KnownBug[], context: Context, values: PredicateValues): Judgement {
  const { source, target } = context;
  if (bugs.length === 0)
    return {
      notApplicable: `The check's list has no bug that concerns an update from ${source.text} to ${target.text}.`,
    };
  const decisions = bugs.map((bug) => ({ bug, result: decide(buildPlan(bug), values) }));
  const needed = new Set(decisions.flatMap(({ bug, result }) => (bug.certainty === "risk" ? result.failed : [])));
  return {
    findings: decisions.flatMap(({ bug, result }) => buildFindings(bug, result, target.text)),
    notices: decisions.flatMap(({ bug, result }) => buildNotices(bug, result, context)),
    noticedRisks: decisions.flatMap(({ bug, result }) => (isNoticed(bug, result) ? bug.published : [])),
    unknowns: decisions.flatMap(({ bug, result }) => buildUnknowns(bug, result)),
    irrelevantReads: Object.keys(buildFollowUpReads(bugs)).filter((key) => !needed.has(key)),
  };
}

/** The affected objects; if the kind of cluster alone decides, the objects that show it; otherwise the cluster as a whole. */
function selectObjects({ objects, context }: PredicateDecision): readonly ObjectRef[] {
  if (objects.length > 0) return objects;
  return context.length > 0 ? context : [CLUSTER_VERSION];
}

function buildFindings(bug: KnownBug, result: PredicateDecision, target: string): readonly Finding[] {
  if (bug.certainty !== "risk" || result.truth !== "yes") return [];
  const message = `${formatMessage(bug, target)}.`;
  return deduplicateRefs(selectObjects(result)).map((object) => ({ risk: bug.name, object, message }));
}

function isNoticed({ certainty }: KnownBug, { truth }: PredicateDecision): boolean {
  return certainty === "notice" && truth !== "no";
}

function buildNotices(bug: KnownBug, result: PredicateDecision, context: Context): readonly string[] {
  if (!isNoticed(bug, result)) return [];
  if (result.truth === "unknown") return [buildUnknownNotice(bug, context)];
  return [buildNotice(bug, deduplicateRefs(selectObjects(result)), context)];
}

function buildUnknowns(bug: KnownBug, { unclear }: PredicateDecision): readonly Unknown[] {
  if (bug.certainty !== "risk") return [];
  return deduplicateRefs(unclear).map((ref) => ({
    reason: "NotUnderstood",
    where: formatRef(ref),
    message: `a value in it can't be parsed, so the check can't tell whether ${bug.name} concerns it`,
  }));
}

function deduplicateRefs(refs: readonly ObjectRef[]): readonly ObjectRef[] {
  return [...new Map(refs.map((ref) => [buildRefKey(ref), ref])).values()];
}

/** Does the entry concern an update from source to target? Compares full versions, including pre-releases. */
export function isAffected({ versions }: KnownBug, source: Version, target: Version): boolean {
  return versions.some((versions) => isAffectedSource(versions, source) && isAffectedTarget(versions, target));
}

function isAffectedTarget({ first, last }: AffectedVersions, target: Version): boolean {
  return isInRange(target, { from: first, to: last });
}

function isAffectedSource({ sources }: AffectedVersions, source: Version): boolean {
  return (
    sources === undefined || sources.some(({ from, before }) => isAtLeast(source, from) && isBefore(source, before))
  );
}
