import { type Json, at, listAt, textAt } from "../../src/model/json.ts";
import type { Difference } from "./comparison.ts";
import type { DefinitionDifference } from "./server-rounds.ts";

/** A fault of the packages up to a minor, which preflight judges as newer ones do; or of all, which is left out on purpose. */
type KnownDifference = {
  readonly name: string;
  readonly upTo: number;
  readonly matches: (difference: Difference | DefinitionDifference) => boolean;
};

/** Used otherwise than to ask whether it is there, which it always is. */
const WHOLE_METADATA = /(?<!has\()(?:self|oldSelf)\.metadata(?![.\w])/;

/** As a value of its own, metadata included, if the rule is of the root. */
const WHOLE_SELF = /(?<![.\w])(?:self|oldSelf(?:\.value\(\))?)(?![.\w])\s*[!=]=/;

const KNOWN: readonly KnownDifference[] = [
  {
    name: "a rule that compares metadata as a whole counts managed fields, which an update drops if it can't convert them",
    upTo: Infinity,
    matches: (difference) =>
      "way" in difference &&
      (WHOLE_METADATA.test(JSON.stringify([difference.round.before, difference.round.after])) ||
        listAt(difference.round.after, "spec", "versions").some(comparesRoot)),
  },
  {
    name: "a root that is int-or-string: the API server takes the definition, and then serves no version of it",
    upTo: Infinity,
    matches: (difference) =>
      "way" in difference && listAt(difference.round.after, "spec", "versions").some(hasOpenRoot),
  },
  {
    name: "a rule of metadata.name with another type than string: the definition is accepted, and then no object",
    upTo: Infinity,
    matches: (difference) =>
      "way" in difference && listAt(difference.round.after, "spec", "versions").some(hasOtherName),
  },
  {
    name: "an empty list or map in an optional has no type (cel-go v0.20)",
    upTo: 31,
    matches: (difference) =>
      "text" in difference && difference.text.includes("incompatible type already exists for expression"),
  },
  {
    name: "the check of a definition panics (a nil pointer; 1.31)",
    upTo: 31,
    matches: (difference) => "text" in difference && difference.text.includes("panic: runtime error: invalid memory"),
  },
  {
    name: "indexOf at the end of a text, or in an empty one, is an error (cel-go v0.20)",
    upTo: 31,
    matches: (difference) =>
      "text" in difference
        ? difference.text.includes("index out of range")
        : difference.kind !== "false" && formatDefinitions(difference).includes("ndexOf("),
  },
  {
    name: "a write of the status is refused for what it leaves as it is (registry/customresource/status_strategy.go before 1.33)",
    upTo: 32,
    matches: (difference) =>
      "way" in difference && difference.kind === "missed" && difference.way.startsWith("status "),
  },
  {
    name: "a URI with two colons in its host is valid (Go before 1.26)",
    upTo: 35,
    matches: (difference) =>
      "way" in difference &&
      /"format":"uri"|url\(/i.test(formatDefinitions(difference)) &&
      /:\/\/[^/"[\]]*:[^/"[\]]*:/.test(JSON.stringify([difference.sample, difference.round.after])),
  },
];

function formatDefinitions({ round: { older, before, after } }: Difference): string {
  return JSON.stringify([older, before, after]);
}

function comparesRoot(version: Json): boolean {
  const rules = listAt(version, "schema", "openAPIV3Schema", "x-kubernetes-validations");
  return rules.some((rule) => WHOLE_SELF.test(textAt(rule, "rule") ?? ""));
}

function hasOpenRoot(version: Json): boolean {
  return at(version, "schema", "openAPIV3Schema", "x-kubernetes-int-or-string") === true;
}

function hasOtherName(version: Json): boolean {
  const name = at(version, "schema", "openAPIV3Schema", "properties", "metadata", "properties", "name");
  return at(name, "x-kubernetes-int-or-string") === true && listAt(name, "x-kubernetes-validations").length > 0;
}

/** The name of the fault that explains a difference from the packages of a minor. */
export function findKnownDifference(difference: Difference | DefinitionDifference, minor: number): string | undefined {
  return KNOWN.find(({ upTo, matches }) => minor <= upTo && matches(difference))?.name;
}
