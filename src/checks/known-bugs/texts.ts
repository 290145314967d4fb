import type { RiskText } from "../../model/check.ts";
import { summarizeNames } from "../../model/names.ts";
import { compareText } from "../../model/json.ts";
import { compareVersions, parseVersion } from "../../model/version.ts";
import type { KnownBug } from "./known-bug.ts";

/** What is said of an entry that is a risk. */
export function buildRiskText(bug: KnownBug): RiskText {
  return {
    name: bug.name,
    title: bug.title,
    url: bug.url,
    describe: (objects, { target }) => `${formatMessage(bug, target.text)}: ${objects}.`,
    remediation: formatRemediation(bug),
    published: bug.published,
  };
}

/** What is said of an entry that is a notice. */
export function buildNotice(bug: KnownBug, objects: readonly string[], target: string): string {
  return formatNotice(bug, target, `: ${summarizeNames(objects.toSorted(compareText))}`);
}

/** What is said of it where the cluster could not be asked. */
export function buildUnknownNotice(bug: KnownBug, target: string): string {
  return formatNotice(bug, target, " (whether this cluster has what that needs could not be read)");
}

function formatNotice(bug: KnownBug, target: string, about: string): string {
  const source = `(${bug.published.join(", ")}: ${bug.url})`;
  return `${formatMessage(bug, target)}${about}. ${formatRemediation(bug)} ${source}`;
}

export function formatMessage({ message }: KnownBug, target: string): string {
  return message.replaceAll("{target}", target);
}

/** What to do: take a release with the fix, or change what the fault needs. */
export function formatRemediation(bug: KnownBug): string {
  const fixedVersions = selectFixedVersions(bug);
  const { remedy } = bug;
  if (fixedVersions.length === 0)
    return remedy === undefined ? "Choose another target." : `First ${remedy}, or choose another target.`;
  return `Update to ${formatTargets(fixedVersions)} instead${remedy === undefined ? "" : `, or first ${remedy}`}.`;
}

/** Later patches count, but a later minor may have the fault again. */
function formatTargets(fixedVersions: readonly string[]): string {
  return fixedVersions.length === 1
    ? `${fixedVersions.join("")} or later`
    : `a release with the fix (${fixedVersions.join(", ")} or a later patch of these)`;
}

/** The releases with the fix, one of each minor, in their order. */
function selectFixedVersions({ versions }: KnownBug): readonly string[] {
  const fixedVersions = [...new Set(versions.flatMap((affected) => affected.fixedIn ?? []))];
  return fixedVersions
    .flatMap((text) => parseVersion(text) ?? [])
    .toSorted(compareVersions)
    .map(({ text }) => text);
}
