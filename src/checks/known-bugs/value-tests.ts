import { RE2JS } from "re2js";
import { type Json, isList, isObject } from "../../model/json.ts";
import { type Version, compareVersions, parseVersion } from "../../model/version.ts";
import type { ValueTest } from "./known-bug.ts";

/** Tests the values at a path: the test holds if it holds for one of them. */
export function testValues(test: ValueTest, values: readonly Json[]): Truth {
  if ("is" in test && test.is === "absent") return toTruth(values.length === 0);
  return some(values.map((value) => testValue(test, value)));
}

function testValue(test: ValueTest, value: Json): Truth {
  if ("is" in test) return toTruth(test.is === "present" || isFilled(value));
  if ("equals" in test) return toTruth(value === test.equals);
  if ("oneOf" in test) return toTruth(typeof value === "string" && test.oneOf.includes(value));
  if ("matches" in test) return toTruth(typeof value === "string" && matchesPattern(test.matches, value));
  if ("atLeast" in test) return toTruth(typeof value === "number" && value >= test.atLeast);
  if ("longerThan" in test) return toTruth(typeof value === "string" && value.length > test.longerThan);
  if ("family" in test) return testFamily(test.family, value);
  return testVersion(test.version, value);
}

function isFilled(value: Json): boolean {
  if (isList(value)) return value.length > 0;
  return isObject(value) ? Object.keys(value).length > 0 : value !== "" && value !== false;
}

const patterns = new Map<string, RE2JS>();

/** Does the RE2 expression match anywhere in the text? */
export function matchesPattern(pattern: string, text: string): boolean {
  const compiled = patterns.get(pattern) ?? RE2JS.compile(pattern);
  patterns.set(pattern, compiled);
  return compiled.test(text);
}

const IPV4 = /^(?:\d{1,3}\.){3}\d{1,3}(?:\/\d{1,2})?$/;
const IPV6 = /^[0-9a-f:]*:[0-9a-f:.]*(?:\/\d{1,3})?$/i;

function testFamily(family: "IPv4" | "IPv6", value: Json): Truth {
  if (typeof value !== "string" || !(IPV4.test(value) || IPV6.test(value))) return "unknown";
  return toTruth(IPV4.test(value) === (family === "IPv4"));
}

/** An operator's version may lack numbers ("4.15"), and carry build metadata. */
function testVersion({ from, before }: { readonly from?: string; readonly before?: string }, value: Json): Truth {
  const version = typeof value === "string" ? parseLenientVersion(value) : undefined;
  if (!version) return "unknown";
  return toTruth(isAtLeast(version, from) && isBefore(version, before));
}

function parseLenientVersion(text: string): Version | undefined {
  const bare = text.replace(/^v/, "");
  return parseVersion(bare) ?? parseVersion(`${bare}.0`) ?? parseVersion(`${bare}.0.0`);
}

export function isAtLeast(version: Version, from: string | undefined): boolean {
  return from === undefined || compareVersions(parseTableVersion(from), version) <= 0;
}

export function isBefore(version: Version, before: string | undefined): boolean {
  return before === undefined || compareVersions(version, parseTableVersion(before)) < 0;
}

/** A version that the table names. */
function parseTableVersion(text: string): Version {
  const version = parseVersion(text);
  if (!version) throw new Error(`${text} is not a version`);
  return version;
}

/** Kleene's three values: an unknown part makes the whole unknown, unless the other parts decide it. */
export type Truth = "yes" | "no" | "unknown";

function toTruth(isTrue: boolean): Truth {
  return isTrue ? "yes" : "no";
}

export function negate(truth: Truth): Truth {
  if (truth === "unknown") return truth;
  return truth === "yes" ? "no" : "yes";
}

export function every(truths: readonly Truth[]): Truth {
  if (truths.includes("no")) return "no";
  return truths.includes("unknown") ? "unknown" : "yes";
}

export function some(truths: readonly Truth[]): Truth {
  return negate(every(truths.map(negate)));
}

/** Are at least this many true? */
export function atLeast(least: number, truths: readonly Truth[]): Truth {
  if (truths.filter((truth) => truth === "yes").length >= least) return "yes";
  return truths.filter((truth) => truth !== "no").length >= least ? "unknown" : "no";
}
