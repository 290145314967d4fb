import { EFFECTS } from "../../model/check.ts";
import { type Decoder, decodeText, listOf, objectOf, oneOf, optional } from "./decoding.ts";
import type { AffectedEntry, BugEntry, KnownBug } from "./known-bug.ts";
import { decodePredicate, decodeRange } from "./predicate-decoder.ts";

const decodeSources: Decoder<AffectedEntry["sources"]> = (value, place) => {
  if (typeof value === "string") return oneOf("earlierMinors", "unaffected")(value, place);
  return optional(listOf(decodeRange))(value, place);
};

const decodeVersions = listOf(
  objectOf<AffectedEntry>({
    first: decodeText,
    last: decodeText,
    fixedIn: optional(decodeText),
    sources: decodeSources,
  }),
);

const decodeBug = objectOf<BugEntry>({
  id: decodeText,
  name: decodeText,
  effect: optional(oneOf(...EFFECTS)),
  certainty: optional(oneOf("risk", "notice")),
  published: listOf(decodeText),
  versions: (value, place) => (value === "preReleases" ? value : decodeVersions(value, place)),
  when: decodePredicate,
  title: decodeText,
  message: decodeText,
  remedy: optional(decodeText),
  fix: optional(objectOf<NonNullable<KnownBug["fix"]>>({ kinds: listOf(decodeText), command: decodeText })),
  url: decodeText,
});

/** The entries of one data file. */
export const decodeBugs = listOf(decodeBug);
