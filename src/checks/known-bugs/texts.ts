import type { AffectedVersions, SourceRange } from "../../data-checks/format/definition.ts";
import { NO_FIX, formatFixes, isAffected } from "../../data-checks/format/definition.ts";
import type { Context, Finding, RiskText, Judgement, Unknown } from "../../model/check.ts";
import { type OptionalFix, buildObjectCommand, formatObjectArgument, quoteArgument } from "../../model/commands.ts";
import { compareText } from "../../model/json.ts";
import { summarizeNames } from "../../model/text.ts";
import { CLUSTER_VERSION, type ObjectRef, formatRef } from "../../model/resource.ts";
import type { KnownBug, BugList, InvalidBug } from "./known-bug.ts";
import { formatListAge, MAX_LIST_AGE_DAYS } from "../../model/list-age.ts";
import { getAge } from "../../model/time.ts";
import { formatMinor, getKubernetesMinor, parseMinor } from "../../model/version.ts";

/** The texts of an entry that is a risk. */
export function buildRiskText(bug: KnownBug): RiskText {
  return {
    name: bug.name,
    effect: bug.effect ?? "broken",
    title: bug.title,
    url: bug.url,
    describe: (objects, { target }, findings) =>
      `${formatMessage(bug, target.text)}${isWhole(findings) ? "" : `: ${objects}`}.`,
    remediation: (context) => formatRemediation(bug, context),
    getHostedRemedy: bug.hostedRemedy === undefined ? undefined : () => `Or first ${bug.hostedRemedy}.`,
    knownAs: { published: bug.published, affected: bug.versions.map(formatAffected) },
    see: ({ object }, { platform }) => (isClusterVersion(object) ? [] : [buildObjectCommand(platform, "get", object)]),
    ...buildFix(bug),
  };
}

function buildFix({ fix }: KnownBug): OptionalFix<Finding, Context> {
  if (fix === undefined) return {};
  const { kinds, command, fixKind } = fix;
  return { fix: ({ object }) => (kinds.includes(object.kind) ? [formatFix(command, object)] : []), fixKind };
}

/** Releases without a fix of their minor are affected as far as the table goes. */
function formatAffected({ first, last, fixedIn, sources = [] }: AffectedVersions): string {
  const releases = first === last ? first : `${first} to ${last}`;
  const fix = fixedIn === undefined ? "" : ` (fixed in ${fixedIn})`;
  return `${releases}${sources.length === 0 ? "" : `, for updates from ${sources.map(formatSources).join(" or ")}`}${fix}`;
}

function formatSources({ from, before }: SourceRange): string {
  if (from === undefined) return `releases before ${before ?? "any"}`;
  return before === undefined ? `${from} and later` : `${from} to before ${before}`;
}

function formatFix(command: string, object: ObjectRef): string {
  const namespace = object.namespace === undefined ? "" : ` -n ${quoteArgument(object.namespace)}`;
  return `oc${namespace} ${command.replace("{object}", formatObjectArgument(object))}`;
}

function isWhole(findings: readonly Finding[]): boolean {
  return findings.every(({ object }) => isClusterVersion(object));
}

function isClusterVersion({ kind, name }: ObjectRef): boolean {
  return kind === CLUSTER_VERSION.kind && name === CLUSTER_VERSION.name;
}

/** The notice of an entry that concerns the cluster. */
export function buildNotice(bug: KnownBug, objects: readonly ObjectRef[], context: Context): string {
  const names = objects.filter((object) => !isClusterVersion(object)).map(formatRef);
  const suffix = names.length === 0 ? "" : `: ${summarizeNames(names.toSorted(compareText))}`;
  const message = `${formatMessage(bug, context.target.text)}${suffix}.`;
  return `${message} ${formatRemediation(bug, context)} (${formatPublished(bug)})`;
}

/** The notice of an entry whose reads failed. It must not state facts of the cluster. */
export function buildUnknownNotice(bug: KnownBug, context: Context): string {
  const bugText = `A known bug of ${context.target.text} could not be checked: "${bug.title}"`;
  return `${bugText}. If this concerns your cluster: ${formatRemediation(bug, context)} (${formatPublished(bug)})`;
}

function formatPublished({ published, url }: KnownBug): string {
  return `${published.join(", ")}: ${url}`;
}

export function formatMessage({ message }: KnownBug, target: string): string {
  return message.replaceAll("{target}", target);
}

/** What to do: choose a release with the fix, or change what the bug needs. */
export function formatRemediation(
  { versions, remedy: general, hostedRemedy }: KnownBug,
  context?: Pick<Context, "source" | "target"> & Partial<Pick<Context, "isHosted">>,
): string {
  const fixes = formatFixes(versions, context);
  const remedy = context?.isHosted === true ? (hostedRemedy ?? general) : general;
  if (remedy === undefined) return `${fixes}.`;
  return fixes === NO_FIX ? `First ${remedy}, or choose another target.` : `${fixes}, or first ${remedy}.`;
}

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
  const isOld = (getAge(`${date}T00:00:00Z`, now) ?? 0) > MAX_LIST_AGE_DAYS * DAY_MS;
  const age = isOld ? [formatListAge(date, place === undefined)] : [];
  if (place !== undefined) {
    const { file, digest } = place;
    const where = digest === undefined || file.includes(digest) ? file : `${file} (${digest})`;
    const origin = `Known bugs are those of the list ${name} of ${date}: ${where}.`;
    return [[origin, ...(signature === undefined ? [] : [signature])].join(" "), ...age];
  }
  if (unused?.kind !== "older") return age;
  return [`The built-in list of known bugs of ${date} is used, because ${unused.message}.`, ...age];
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
