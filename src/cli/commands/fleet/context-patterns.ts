import { UsageError } from "../../../model/errors.ts";
import { joinNames, sortNames, summarizeNames } from "../../../model/names.ts";
import { findNearestName } from "../../../model/nearest-name.ts";

/** Whether --context selects a context; without the flag it selects each. */
export function isWanted(name: string, patterns: readonly string[]): boolean {
  return patterns.length === 0 || patterns.some((pattern) => matches(pattern, name));
}

export function matches(pattern: string, name: string): boolean {
  return buildPattern(pattern).test(name);
}

const SPECIAL = /[\\^$.+?()[\]{}|]/g;

function buildPattern(text: string): RegExp {
  return new RegExp(`^${text.replace(SPECIAL, "\\$&").replaceAll("*", ".*")}$`, "s");
}

/** A misspelt name must not leave clusters out in silence, whatever the other names select. */
export function refusePatterns(unmatched: readonly string[], contexts: readonly string[]): never {
  const known = sortNames(contexts);
  const named = unmatched.map((pattern) => {
    const nearest = findNearestName(pattern, known);
    return nearest === undefined ? `"${pattern}"` : `"${pattern}" (nearest: ${nearest})`;
  });
  const there = known.length === 0 ? "no context" : summarizeNames(known);
  throw new UsageError(`no context matches --context ${joinNames(named)}: the kubeconfigs have ${there}`);
}
