import { isAffected } from "../../data-checks/affected-versions.ts";
import type { Context, Judgement, Unknown } from "../../model/check.ts";
import { getAge } from "../../model/time.ts";
import { formatMinor, getKubernetesMinor, parseMinor } from "../../model/version.ts";
import type { BugList, InvalidBug } from "./known-bug.ts";

/** A list that is older may lack what has been published since then. */
const MAX_AGE_DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** Adds what the list itself is to what its entries find: where it comes from, what it can't know, and what this build can't evaluate. */
export function addListFacts(list: BugList, judgement: Judgement, context: Context): Judgement {
  const facts = listFacts(list, context);
  const unknowns = [...findLaterTarget(list, context), ...findInvalid(list, context), ...findUnusable(list)];
  const { notApplicable, notices = [] } = judgement;
  if (notApplicable !== undefined && unknowns.length === 0)
    return { notApplicable: [notApplicable, ...facts].join(" ") };
  if (notApplicable !== undefined) return { notices: facts, unknowns };
  return { ...judgement, notices: [...notices, ...facts], unknowns: [...(judgement.unknowns ?? []), ...unknowns] };
}

/** What the list is: nothing about that of this build, unless it is old, or another one was to take its place. */
function listFacts({ head, place, signature, unused }: BugList, { now }: Context): readonly string[] {
  const { name, date } = head;
  const isOld = (getAge(`${date}T00:00:00Z`, now) ?? 0) > MAX_AGE_DAYS * DAY_MS;
  const age = `more than ${MAX_AGE_DAYS} days old`;
  if (place !== undefined) {
    const { file, digest } = place;
    const where = digest === undefined || file.includes(digest) ? file : `${file} (${digest})`;
    const origin = `Known bugs are those of the list ${name} of ${date}: ${where}.`;
    const facts = [
      ...(signature === undefined ? [] : [signature]),
      ...(isOld ? [`It is ${age}: use a newer one, if there is one.`] : []),
    ];
    return [[origin, ...facts].join(" ")];
  }
  const old = isOld ? [`is ${age}: use a newer preflight, or a newer list with --known-bugs`] : [];
  const other = unused?.kind === "older" ? [`is used, because ${unused.message}`] : [];
  return [...other, ...old].map((fact) => `The built-in list of known bugs of ${date} ${fact}.`);
}

/** As the runner does for the tables of this build, of which its own list is one. */
function findLaterTarget({ head, place }: BugList, { update, target, kubernetes }: Context): readonly Unknown[] {
  const last = parseMinor(head.knownUpTo);
  if (place === undefined || last === undefined || update !== "minor") return [];
  if (kubernetes.target <= getKubernetesMinor(last)) return [];
  const message = `the list of known bugs knows releases up to ${formatMinor(last)}`;
  return [{ reason: "TargetUnknown", where: `release ${formatMinor(target)}`, message }];
}

function findInvalid({ invalid }: BugList, context: Context): readonly Unknown[] {
  return invalid
    .filter(({ versions }) => versions === undefined || isAffected(versions, context))
    .flatMap(describeInvalid);
}

/** Nobody knows what a list that can't be read would have found. */
function findUnusable({ unused }: BugList): readonly Unknown[] {
  if (unused?.kind !== "unusable") return [];
  return [{ reason: "CheckInvalid", where: `the list of known bugs ${unused.place}`, message: unused.message }];
}

/** The first fault of an entry, which is enough to find it. */
function describeInvalid({ name, faults }: InvalidBug): readonly Unknown[] {
  return faults.slice(0, 1).map(({ file, line, column, place, message }) => ({
    reason: "CheckInvalid",
    where: `known bug ${name} (${file}:${line}:${column})`,
    message: `${place === "" ? "" : `${place}: `}${message}, which a newer preflight may know`,
  }));
}
