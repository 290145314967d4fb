import type { Context, Finding, RiskText } from "../../model/check.ts";
import { buildObjectCommand, formatObjectArgument, quoteArgument } from "../../model/commands.ts";
import { compareText } from "../../model/json.ts";
import { summarizeNames } from "../../model/names.ts";
import { CLUSTER_VERSION, type ObjectRef, formatRef } from "../../model/resource.ts";
import { type Version, compareVersions, getMinorOrdinal, parseVersion } from "../../model/version.ts";
import type { AffectedVersions, SourceRange } from "../../data-checks/definition.ts";
import type { KnownBug } from "./known-bug.ts";

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
    knownAs: { published: bug.published, affected: bug.versions.map(formatAffected) },
    see: ({ object }, { platform }) => (isClusterVersion(object) ? [] : [buildObjectCommand(platform, "get", object)]),
    fix: ({ object }) => (bug.fix?.kinds.includes(object.kind) ? [formatFix(bug.fix.command, object)] : []),
  };
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
export function formatRemediation(bug: KnownBug, context?: Pick<Context, "source" | "target">): string {
  const { remedy } = bug;
  const fixedVersions = selectFixedVersions(bug).filter((version) => !context || isReachable(version, context));
  if (fixedVersions.length === 0)
    return remedy === undefined ? "Choose another target." : `First ${remedy}, or choose another target.`;
  return `Update to ${formatFixes(fixedVersions)} instead${remedy === undefined ? "" : `, or first ${remedy}`}.`;
}

/** The general form names no releases if there are more. */
const MAX_FIXES = 8;

/** Later minors may have the bug again, so each release stands for its own minor only. */
function formatFixes(fixedVersions: readonly Version[]): string {
  const fixes = fixedVersions.map(({ text, major, minor }) => `${text} or a later ${major}.${minor}`);
  if (fixes.length > MAX_FIXES) return "a release with the fix";
  return fixes.length === 1 ? fixes.join("") : `a release with the fix (${fixes.join(", ")})`;
}

/** An update to it goes forward, and not beyond the target's minor. 4.23 and 5.0 are two lines of one minor. */
function isReachable(version: Version, { source, target }: Pick<Context, "source" | "target">): boolean {
  if (compareVersions(source, version) >= 0) return false;
  const [ordinal, last] = [getMinorOrdinal(version), getMinorOrdinal(target)];
  return ordinal < last || (ordinal === last && version.major === target.major);
}

/** The releases with the fix, one of each minor, in their order: the nearest first. */
function selectFixedVersions({ versions }: KnownBug): readonly Version[] {
  const fixedVersions = [...new Set(versions.flatMap((affected) => affected.fixedIn ?? []))];
  return fixedVersions.flatMap((text) => parseVersion(text) ?? []).toSorted(compareVersions);
}
