import { compareVersions, parseNormalizedSemver, parseSemver } from "../values/semver.ts";
import { NO_OVERLOAD, type CelValue, buildError, isKind } from "../values/value.ts";
import { READS_ONCE, defineComparisons, onKind } from "./function-binding.ts";
import { type FunctionRow, buildApiServerLibrary } from "../runtime/function-table.ts";

function parseSemverArgument([text, loose = false]: readonly CelValue[]): CelValue {
  if (typeof text !== "string" || typeof loose !== "boolean") return NO_OVERLOAD;
  return (loose ? parseNormalizedSemver(text) : parseSemver(text)) ?? buildError("the text is no semantic version");
}

function isSemver(args: readonly CelValue[]): CelValue {
  const result = parseSemverArgument(args);
  return result === NO_OVERLOAD ? result : isKind(result, "semver");
}

function definePart(place: 0 | 1 | 2): FunctionRow {
  return { types: "kubernetes.Semver.() int", call: onKind("semver", ({ parts }) => BigInt.asIntN(64, parts[place])) };
}

export const SEMVER = buildApiServerLibrary("semver", {
  semver: {
    types: "(string) kubernetes.Semver | (string, bool) kubernetes.Semver",
    ...READS_ONCE,
    call: parseSemverArgument,
  },
  isSemver: { types: "(string) bool | (string, bool) bool", ...READS_ONCE, call: isSemver },
  ...defineComparisons("kubernetes.Semver", "semver", compareVersions),
  major: definePart(0),
  minor: definePart(1),
  patch: definePart(2),
});
