import { estimateTraversal } from "../cost/call-estimate.ts";
import { compareVersions, parseNormalizedSemver, parseSemver } from "../runtime/values/semver.ts";
import { NO_OVERLOAD, type CelValue, buildError } from "../runtime/values/value.ts";
import { isKind, onKind, onSameKind, traverseOnce } from "./function-binding.ts";
import type { FunctionImplementation, FunctionRow, Library } from "./function-table.ts";

function parseSemverArgument([text, loose = false]: readonly CelValue[]): CelValue {
  if (typeof text !== "string" || typeof loose !== "boolean") return NO_OVERLOAD;
  return (loose ? parseNormalizedSemver(text) : parseSemver(text)) ?? buildError("the text is no semantic version");
}

function isSemver(args: readonly CelValue[]): CelValue {
  const result = parseSemverArgument(args);
  return result === NO_OVERLOAD ? result : isKind(result, "semver");
}

function defineParser(name: string, result: string, call: FunctionImplementation): FunctionRow {
  return {
    name,
    signatures: `(string) ${result} | (string, bool) ${result}`,
    estimate: estimateTraversal(1),
    call,
    cost: traverseOnce,
  };
}

function defineComparison(name: string, result: string, tell: (order: number) => CelValue): FunctionRow {
  return {
    name,
    signatures: `k8s:Semver.(k8s:Semver) ${result}`,
    call: onSameKind("semver", (a, b) => tell(compareVersions(a, b))),
  };
}

function definePart(name: string, place: 0 | 1 | 2): FunctionRow {
  return {
    name,
    signatures: "k8s:Semver.() int",
    call: onKind("semver", ({ parts }) => BigInt.asIntN(64, parts[place])),
  };
}

export const SEMVER: Library = {
  owner: "api-server",
  since: 33,
  functions: [
    defineParser("semver", "k8s:Semver", parseSemverArgument),
    defineParser("isSemver", "bool", isSemver),
    defineComparison("isGreaterThan", "bool", (order) => order > 0),
    defineComparison("isLessThan", "bool", (order) => order < 0),
    defineComparison("compareTo", "int", (order) => BigInt(order)),
    definePart("major", 0),
    definePart("minor", 1),
    definePart("patch", 2),
  ],
};
