import type { RiskText } from "../../model/check.ts";
import { joinNames } from "../../model/names.ts";
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

const NAMED = 3;

/** What is said of an entry that is a notice. */
export function noticeText(entry: Entry, objects: readonly string[], target: string): string {
  const sorted = objects.toSorted(byText);
  const named = sorted.length > NAMED ? [...sorted.slice(0, NAMED), `${sorted.length - NAMED} more`] : sorted;
  const about = named.length === 0 ? "" : `: ${joinNames(named)}`;
  return `${messageFor(entry, target)}${about}. ${remediationOf(entry)} (${entry.published.join(", ")}: ${entry.url})`;
}

export function messageFor({ message }: Entry, target: string): string {
  return message.replaceAll("{target}", target);
}

export function remediationOf(entry: Entry): string {
  const fixed = fixedIn(entry);
  const target = fixed.length === 0 ? "another release" : `${fixed.join(", ")} or later`;
  return `Update to ${target} instead${entry.remedy === undefined ? "" : `, or first ${entry.remedy}`}.`;
}

/** The releases with the fix, one of each minor, in their order. */
function fixedIn({ versions }: Entry): readonly string[] {
  const fixed = [...new Set(versions.flatMap((affected) => affected.fixedIn ?? []))];
  return fixed
    .flatMap((text) => parseVersion(text) ?? [])
    .toSorted(compareVersions)
    .map(({ text }) => text);
}
