import { EFFECTS } from "../../model/check.ts";
import type { SourceRange, VariableDefinition } from "../../data-checks/definition.ts";
import { type Decoder, decodeText, listOf, mapOf, objectOf, oneOf, optional } from "./decoding.ts";
import type { AffectedEntry, BugEntry, BugFinding, BugRead, KnownBug } from "./known-bug.ts";

const decodeRange = objectOf<SourceRange>({ from: optional(decodeText), before: optional(decodeText) });

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

const decodeRead = objectOf<BugRead>({
  list: optional(decodeText),
  get: optional(decodeText),
  name: optional(decodeText),
  where: optional(decodeText),
  index: optional(mapOf(decodeText)),
});

const decodeFinding = objectOf<BugFinding>({
  forEach: optional(decodeText),
  when: optional(decodeText),
  object: optional(decodeText),
});

const decodeBug = objectOf<BugEntry>({
  id: decodeText,
  name: decodeText,
  effect: optional(oneOf(...EFFECTS)),
  certainty: optional(oneOf("risk", "notice")),
  published: listOf(decodeText),
  versions: (value, place) => (value === "preReleases" ? value : decodeVersions(value, place)),
  reads: optional(mapOf(decodeRead)),
  variables: optional(listOf(objectOf<VariableDefinition>({ name: decodeText, expression: decodeText }))),
  findings: optional(listOf(decodeFinding)),
  title: decodeText,
  message: decodeText,
  remedy: optional(decodeText),
  fix: optional(objectOf<NonNullable<KnownBug["fix"]>>({ kinds: listOf(decodeText), command: decodeText })),
  url: decodeText,
});

/** The entries of one data file. */
export const decodeBugs = listOf(decodeBug);
