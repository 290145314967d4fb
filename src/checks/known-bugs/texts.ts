import type { RiskText } from "../../model/check.ts";
import { joinSome } from "../../model/names.ts";
import { byText } from "../../model/json.ts";
import { compareVersions, parseVersion } from "../../model/version.ts";
import type { Entry } from "./vocabulary.ts";

/** What is said of an entry that is a risk. */
export function riskText(entry: Entry): RiskText {
  return {
    name: entry.name,
    title: entry.title,
    url: entry.url,
    describe: (objects, { target }) => `${messageFor(entry, target.text)}: ${objects}.`,
    remediation: remediationOf(entry),
    published: entry.published,
  };
}

/** What is said of an entry that is a notice. */
export function noticeText(entry: Entry, objects: readonly string[], target: string): string {
  return notice(entry, target, `: ${joinSome(objects.toSorted(byText))}`);
}

/** What is said of it where the cluster could not be asked. */
export function unreadNotice(entry: Entry, target: string): string {
  return notice(entry, target, " (whether this cluster has what that needs could not be read)");
}

function notice(entry: Entry, target: string, about: string): string {
  const source = `(${entry.published.join(", ")}: ${entry.url})`;
  return `${messageFor(entry, target)}${about}. ${remediationOf(entry)} ${source}`;
}

export function messageFor({ message }: Entry, target: string): string {
  return message.replaceAll("{target}", target);
}

/** What to do: take a release with the fix, or change what the fault needs. */
export function remediationOf(entry: Entry): string {
  const fixed = fixedIn(entry);
  const { remedy } = entry;
  if (fixed.length === 0)
    return remedy === undefined ? "Choose another target." : `First ${remedy}, or choose another target.`;
  return `Update to ${targetsText(fixed)} instead${remedy === undefined ? "" : `, or first ${remedy}`}.`;
}

/** Later patches count, but a later minor may have the fault again. */
function targetsText(fixed: readonly string[]): string {
  return fixed.length === 1
    ? `${fixed.join("")} or later`
    : `a release with the fix (${fixed.join(", ")} or a later patch of these)`;
}

/** The releases with the fix, one of each minor, in their order. */
function fixedIn({ versions }: Entry): readonly string[] {
  const fixed = [...new Set(versions.flatMap((affected) => affected.fixedIn ?? []))];
  return fixed
    .flatMap((text) => parseVersion(text) ?? [])
    .toSorted(compareVersions)
    .map(({ text }) => text);
}
