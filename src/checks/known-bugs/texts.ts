import { NO_FIX, formatFixes } from "../../data-checks/affected-versions.ts";
import type { Context, Finding, RiskText } from "../../model/check.ts";
import { buildObjectCommand, formatObjectArgument, quoteArgument } from "../../model/commands.ts";
import type { OptionalFix } from "../../model/fix-kind.ts";
import { compareText } from "../../model/json.ts";
import { summarizeNames } from "../../model/names.ts";
import { CLUSTER_VERSION, type ObjectRef, formatRef } from "../../model/resource.ts";
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
  { versions, remedy }: KnownBug,
  context?: Pick<Context, "source" | "target">,
): string {
  const fixes = formatFixes(versions, context);
  if (remedy === undefined) return `${fixes}.`;
  return fixes === NO_FIX ? `First ${remedy}, or choose another target.` : `${fixes}, or first ${remedy}.`;
}
