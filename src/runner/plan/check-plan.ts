import type { Check, Context, Unknown } from "../../model/check.ts";
import type { Gathered, OptionalReads, Read, Reads, GatherResult, ReadResults } from "../../model/read.ts";
import { each, getReadPath, readOf } from "../../model/read.ts";
import { compareText } from "../../model/json.ts";
import { formatGroupResource } from "../../model/resource.ts";
import type { ApplicableChecks } from "../updates/applicable-checks.ts";
import { attempt, type CheckWork, type RunCode } from "./check-code.ts";
import { formatUngranted } from "../../model/unknown-reason.ts";

/** A check and its reads. */
export type CheckPlan = {
  readonly check: Check;
  readonly reads: Reads;
  readonly followedReads: Reads;
  /** Set if the check failed while its reads were planned. */
  readonly crash?: Unknown;
};

/** The plan of a check for one update. `possiblePaths`: of the reads that it will plan, besides those of its first reads. */
export type OpenPlan = CheckPlan & { readonly context: Context; readonly possiblePaths?: ReadonlySet<string> };

/** The checks of one update. */
export type PlannedChecks = Pick<ApplicableChecks, "context" | "checks">;

/** A check's own reads depend on no update, so all updates share what they keep. */
export function openPlans(updates: readonly PlannedChecks[]): readonly OpenPlan[] {
  const plans = [...new Set(updates.flatMap(({ checks }) => checks))].map(buildPlan);
  return updates.flatMap(({ context, checks }) => {
    const own = new Set(checks);
    return plans.filter(({ check }) => own.has(check)).map((plan) => openPlan(plan, context));
  });
}

function buildPlan(check: Check): CheckPlan {
  const planned = attempt(check, () => ofSubject(check, check.reads()));
  return planned.kind === "done"
    ? { check, reads: planned.value, followedReads: {} }
    : { check, reads: {}, followedReads: {}, crash: planned.unknown };
}

/** Where both halves of a hosted cluster are read, the subject says in which. */
function ofSubject({ special }: Check, reads: Reads): Reads {
  const subject = special?.subject;
  if (subject === undefined) return reads;
  return Object.fromEntries(Object.entries(reads).map(([key, read]) => [key, readOf(subject, read)]));
}

function openPlan(plan: CheckPlan, context: Context): OpenPlan {
  if (plan.check.follow === undefined || plan.crash) return { ...plan, context };
  return { ...plan, context, possiblePaths: findPossiblePaths(plan, context) };
}

/** Not those of single objects, which a cycle's reader remembers. */
function findPossiblePaths({ check, reads }: CheckPlan, { release }: Context): ReadonlySet<string> {
  const kinds = check.special?.followedKinds?.select(release) ?? [];
  const possible = Object.values(check.mayRead?.() ?? {}).filter(({ kind }) => kind !== "get");
  const all = [...kinds.map((kind) => each(kind, () => undefined)), ...possible];
  const paths = new Set(all.map((read) => getReadPath(readOf(check.special?.subject, read))));
  for (const read of Object.values(reads)) paths.delete(getReadPath(read));
  return paths;
}

/** Plans the reads that follow from those that are gathered; the same plans if there is nothing to plan. */
export function followAll(plans: readonly OpenPlan[], gathered: Gathered, runCode: RunCode): readonly OpenPlan[] {
  const isReady = ({ possiblePaths, reads }: OpenPlan): boolean =>
    possiblePaths !== undefined && Object.values(reads).every((read) => gathered.has(read));
  const ready = plans.filter(isReady);
  if (ready.length === 0) return plans;
  const followed = new Map(runCode(ready, (plan) => follow(plan, gathered)));
  return plans.map((plan) => closePlan(plan, followed.get(plan)));
}

function follow({ check, reads, context }: OpenPlan, gathered: Gathered): Reads {
  const values = collectValues(reads, gathered);
  return isUnknownList(values) ? {} : ofSubject(check, selectNeeded(check.follow?.(values, context) ?? {}));
}

function closePlan(open: OpenPlan, work: CheckWork<Reads> | undefined): OpenPlan {
  if (work === undefined) return open;
  const { possiblePaths: _possiblePaths, ...plan } = open;
  return work.kind === "done" ? { ...plan, followedReads: work.value } : { ...plan, crash: work.unknown };
}

/** Which reads are started by now. */
type StartedReads = { readonly isStarted: (read: Read) => boolean; readonly hasAny: () => boolean };

/** Reads of one rank: the higher it is, the more reads may follow one from another. */
type RankedReads = { readonly rank: number; readonly reads: readonly Read[] };

/**
 * The reads of all paths that no open plan can add to; if there are none and nothing is read any more, those that the open plans wait for.
 * The highest rank comes first, and each is in the order of its paths.
 */
export function selectNextReads(
  plans: readonly OpenPlan[],
  { isStarted, hasAny }: StartedReads,
): readonly RankedReads[] {
  const growing = new Set(plans.flatMap(({ possiblePaths = [] }) => [...possiblePaths]));
  const rest = [...new Set(plans.flatMap(readsOf))].filter((read) => !isStarted(read));
  const complete = rest.filter((read) => !growing.has(getReadPath(read)));
  if (complete.length === 0 && (hasAny() || rest.length === 0)) return [];
  const ranks = rankPaths(plans);
  const next = complete.length > 0 ? complete : rest.filter((read) => ranks.has(getReadPath(read)));
  const byPath = next.toSorted((a, b) => compareText(getReadPath(a), getReadPath(b)));
  const groups = Map.groupBy(byPath, (read) => ranks.get(getReadPath(read)) ?? 0);
  return [...groups].map(([rank, reads]) => ({ rank, reads })).toSorted((a, b) => b.rank - a.rank);
}

/** More than any chain of checks has. Two checks each of which may follow the other would have no end. */
const MAX_RANK = 4;

/** Of the paths that open plans wait for: how many reads may follow one from another. */
function rankPaths(plans: readonly OpenPlan[]): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>();
  for (let rank = 1; rank <= MAX_RANK; rank++) {
    const leading = plans.filter(
      ({ possiblePaths }) =>
        possiblePaths !== undefined && (rank === 1 || [...possiblePaths].some((path) => ranks.get(path) === rank - 1)),
    );
    for (const read of leading.flatMap(({ reads }) => Object.values(reads))) ranks.set(getReadPath(read), rank);
  }
  return ranks;
}

export function readsOf({ reads, followedReads }: CheckPlan): readonly Read[] {
  return [...Object.values(reads), ...Object.values(followedReads)];
}

function selectNeeded(reads: OptionalReads): Reads {
  return Object.fromEntries(Object.entries(reads).flatMap(([key, read]) => (read ? [[key, read]] : [])));
}

/** The values for the code of a check, or the reads that failed, in which case it does not run. */
export function collectValues(reads: Reads, gathered: Gathered): ReadResults<Reads> | readonly Unknown[] {
  const unknowns = Object.values(reads).flatMap((read) => findReadUnknowns(read, gathered.get(read)));
  return unknowns.length > 0 ? unknowns : selectValues(reads, gathered);
}

/** The values of the reads that did not fail. */
export function selectValues(reads: Reads, gathered: Gathered): ReadResults<Reads> {
  return Object.fromEntries(
    Object.entries(reads).flatMap(([key, read]) => {
      const result = gathered.get(read);
      return result === undefined || result.kind === "failed" ? [] : [[key, result]];
    }),
  );
}

export function isUnknownList(values: ReadResults<Reads> | readonly Unknown[]): values is readonly Unknown[] {
  return Array.isArray(values);
}

export function findReadUnknowns(read: Read, result: GatherResult | undefined): readonly Unknown[] {
  if (result === undefined) return [{ reason: "NotRead", where: getReadPath(read), message: "it was not read" }];
  if (result.kind !== "failed") return [];
  const { reason } = result;
  const isUngranted = reason === "Forbidden" && read.kind === "each" && read.isUngranted === true;
  const message = isUngranted ? formatUngranted(result.message) : result.message;
  return [{ reason, where: formatRead(read), message }];
}

/** What an archive lacks of a list whose other objects were judged. */
export function findGapUnknowns(read: Read, result: GatherResult | undefined): readonly Unknown[] {
  const gaps = result !== undefined && "gaps" in result ? (result.gaps ?? []) : [];
  return gaps.map(({ reason, message }) => ({ reason, where: formatRead(read), message }));
}

/** "networks.config.openshift.io cluster": the arguments of `oc get`. */
function formatRead(read: Read): string {
  if (read.kind === "raw" || read.kind === "query") return getReadPath(read);
  const kind = formatGroupResource(read.resource);
  if (read.kind === "each") return kind;
  return `${kind} ${read.namespace === undefined ? "" : `${read.namespace}/`}${read.name}`;
}
