import { type Version, inRange } from "../../model/version.ts";
import { isBefore, isFrom } from "./value-tests.ts";
import type { Affected, Entry } from "./vocabulary.ts";

/** Is the update from source to target one that the entry warns of? Full versions are compared, pre-releases among them. */
export function concerns({ versions }: Entry, source: Version, target: Version): boolean {
  return versions.some((affected) => leads(affected, source) && hits(affected, target));
}

function hits({ first, last }: Affected, target: Version): boolean {
  return inRange(target, { from: first, to: last });
}

function leads({ sources }: Affected, source: Version): boolean {
  return sources === undefined || sources.some(({ from, before }) => isFrom(source, from) && isBefore(source, before));
}
