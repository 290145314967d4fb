import {
  type MinorVersion,
  type Platform,
  LAST_KNOWN_RELEASE,
  compareVersions,
  findMinorPlatform,
  formatMinor,
  getKubernetesMinor,
  getOpenShiftMinor,
  parseMinor,
  parseVersion,
} from "../../model/version.ts";
import { PLATFORM_NAMES, findBoundary, formatContaining, listPlatforms } from "../format/applies.ts";
import type { AffectedVersions, AppliesDefinition } from "../format/definition.ts";
import { type DocumentPlace, type PlacedFault, buildPlacedError } from "../format/fault.ts";
import { suggestMinor } from "./constant-hints.ts";

const PLACE: DocumentPlace = ["spec", "applies"];

/** What the fields of `applies` are together. */
export function findAppliesFaults(applies: AppliesDefinition): readonly PlacedFault[] {
  const minors = listMinors(applies).flatMap(([place, text]) => judgeMinor(text, [...PLACE, ...place]));
  return [
    ...findRepeated(applies),
    ...findUnusedMinors(applies),
    ...minors,
    ...(minors.length === 0 ? findEarlyEnd(applies) : []),
    ...(applies.versions ?? []).flatMap((one, i) => judgeRange(applies, one, [...PLACE, "versions", i])),
    ...findMissingEnd(applies),
  ];
}

/** Marks the field. */
function refuseField(field: string, message: string, hint: string): PlacedFault {
  return { ...buildPlacedError([...PLACE, field], message, hint), isKey: true };
}

function findRepeated({
  crosses,
  updates,
  leavesMinor,
  openshift,
  kubernetes,
}: AppliesDefinition): readonly PlacedFault[] {
  const minors = openshift ?? kubernetes;
  if (crosses !== undefined && minors !== undefined) {
    const hint = openshift === undefined ? `write openshift: {crosses: "${crosses}"}` : "leave it out";
    return [refuseField("crosses", "this is the minor of OpenShift, and kubernetes stands beside it", hint)];
  }
  const given = Object.entries({ crosses, minors, updates, leavesMinor }).filter(([, value]) => value !== undefined);
  const message = "only one of crosses, updates and leavesMinor says which updates it applies to";
  return given.slice(1).map(([field]) => refuseField(field, message, "leave out the others"));
}

/** The minor of a platform on which the check does not apply. */
function findUnusedMinors(applies: AppliesDefinition): readonly PlacedFault[] {
  const { openshift, kubernetes } = applies;
  if (openshift === undefined || kubernetes === undefined) return [];
  const platforms = listPlatforms(applies);
  return (["openshift", "kubernetes"] as const)
    .filter((platform) => !platforms.includes(platform))
    .map((platform) =>
      refuseField(
        platform,
        `the check does not apply on ${PLATFORM_NAMES[platform]}`,
        `add ${platform} to platforms, or leave it out`,
      ),
    );
}

function findMissingEnd({ versions, knownUpTo }: AppliesDefinition): readonly PlacedFault[] {
  if (versions === undefined || knownUpTo !== undefined) return [];
  const hint = 'give the last minor that the table covers: knownUpTo: "4.21"';
  return [refuseField("versions", "a table of versions needs knownUpTo", hint)];
}

function listMinors(applies: AppliesDefinition): readonly (readonly [place: DocumentPlace, text: string])[] {
  const { crosses, openshift, kubernetes, knownUpTo } = applies;
  const all = [
    [["crosses"], crosses],
    [["openshift", "crosses"], openshift?.crosses],
    [["kubernetes", "crosses"], kubernetes?.crosses],
    [["knownUpTo"], knownUpTo],
  ] as const;
  return all.flatMap(([place, text]) => (text === undefined ? [] : [[place, text] as const]));
}

function judgeMinor(text: string, place: DocumentPlace): readonly PlacedFault[] {
  const said = explainMinor(text);
  return said === undefined ? [] : [{ severity: "error", place, ...said }];
}

/** Why a text is no minor of either platform, and the nearest that is one; undefined if it is one. */
export function explainMinor(text: string): { readonly message: string; readonly hint: string } | undefined {
  const minor = parseMinor(text);
  if (minor === undefined) return { message: `"${text}" is not a minor version`, hint: suggestMinor(text) };
  if (findMinorPlatform(minor) !== undefined) return undefined;
  const name = minor.major === 1 ? "Kubernetes" : "OpenShift";
  const last = minor.major === 4 ? ": the last minor of 4 is 4.23" : "";
  return { message: `${name} ${text} does not exist${last}`, hint: suggestExisting(minor) };
}

/** A digit too many, or a minor of 4 that became one of 5. */
function suggestExisting({ major, minor }: MinorVersion): string {
  const shorter = { major, minor: Math.floor(minor / 10) };
  const later = getOpenShiftMinor(minor);
  const nearest = major === 4 && findMinorPlatform(later) !== undefined && minor < 100 ? later : shorter;
  const isNear = findMinorPlatform(nearest) !== undefined;
  return isNear ? `did you mean "${formatMinor(nearest)}"?` : 'write one that there is, as in "4.21" or "1.35"';
}

/** Then every update to which the check applies is unknown. */
function findEarlyEnd(applies: AppliesDefinition): readonly PlacedFault[] {
  const boundary = findBoundary(applies);
  const { knownUpTo } = applies;
  if (boundary === undefined || knownUpTo === undefined) return [];
  const first = getContained(boundary.minor);
  const last = getContained(knownUpTo);
  const least = Math.min(first ?? 0, boundary.kubernetes ?? first ?? 0);
  if (last === undefined || last >= least) return [];
  const { crosses = "" } = applies.kubernetes ?? {};
  const text = parseMinor(knownUpTo)?.major === 1 && crosses !== "" ? crosses : boundary.minor;
  const message = `it ends before ${text}, which updates have to cross: each of them would be unknown`;
  return [buildPlacedError([...PLACE, "knownUpTo"], message, `write "${text}", or a later minor`)];
}

/** The minor of Kubernetes that a minor of either platform contains. */
function getContained(text: string): number | undefined {
  const minor = parseMinor(text);
  return minor && (minor.major === 1 ? minor.minor : getKubernetesMinor(minor));
}

function judgeRange(
  applies: AppliesDefinition,
  { first, last, fixedIn, sources = [] }: AffectedVersions,
  place: DocumentPlace,
): readonly PlacedFault[] {
  const ranges = [
    { from: first, to: last, fields: ["first", "last"], at: place },
    ...sources.map(({ from, before }, i) => ({
      from,
      to: before,
      fields: ["from", "before"],
      at: [...place, "sources", i],
    })),
  ];
  const swapped = ranges.flatMap(({ from, to, fields: [start = "", end = ""], at }) =>
    from !== undefined && to !== undefined && isAfter(from, to)
      ? [
          buildPlacedError(
            [...at, end],
            `${from} comes after it, so the range is empty`,
            `exchange ${start} and ${end}`,
          ),
        ]
      : [],
  );
  const isAffected = fixedIn !== undefined && !isAfter(first, fixedIn) && !isAfter(fixedIn, last);
  const inRange = isAffected
    ? [
        buildPlacedError(
          [...place, "fixedIn"],
          "it is one of the affected versions",
          "give the first version after last",
        ),
      ]
    : [];
  const mixed = judgePlatforms(applies, { first, last, fixedIn, sources }, place);
  return mixed.length > 0 ? mixed : [...swapped, ...inRange];
}

function isAfter(a: string, b: string): boolean {
  const one = parseVersion(a);
  const other = parseVersion(b);
  return one !== undefined && other !== undefined && compareVersions(one, other) > 0;
}

/** The versions of a range are of one platform, on which the check applies. */
function judgePlatforms(
  applies: AppliesDefinition,
  { first, last, fixedIn, sources = [] }: AffectedVersions,
  place: DocumentPlace,
): readonly PlacedFault[] {
  const platform = getVersionPlatform(first);
  const name = PLATFORM_NAMES[platform];
  if (!listPlatforms(applies).includes(platform)) {
    const message = `${first} is a version of ${name}, on which the check does not apply`;
    return [buildPlacedError([...place, "first"], message, `write platforms: [${platform}]`)];
  }
  const others = [
    [["last"], last] as const,
    [["fixedIn"], fixedIn] as const,
    ...sources.flatMap(({ from, before }, i) => [
      [["sources", i, "from"], from] as const,
      [["sources", i, "before"], before] as const,
    ]),
  ];
  return others.flatMap(([at, text]) =>
    text === undefined || getVersionPlatform(text) === platform
      ? []
      : [
          buildPlacedError(
            [...place, ...at],
            `${text} is not a version of ${name}, as ${first} is`,
            "give each platform a range",
          ),
        ],
  );
}

function getVersionPlatform(text: string): Platform {
  return text.startsWith("1.") ? "kubernetes" : "openshift";
}

/** What follows for the other platform from a release that this build does not know. */
export function findAppliesWarnings(applies: AppliesDefinition): readonly PlacedFault[] {
  const boundary = findBoundary(applies);
  const { crosses, openshift, kubernetes } = applies;
  if (boundary === undefined || (kubernetes !== undefined && (openshift ?? crosses) !== undefined)) return [];
  const contained = boundary.kubernetes ?? getContained(boundary.minor) ?? 0;
  const other = kubernetes === undefined ? "kubernetes" : "openshift";
  if (contained <= getKubernetesMinor(LAST_KNOWN_RELEASE) || !listPlatforms(applies).includes(other)) return [];
  const text = other === "kubernetes" ? `1.${contained}` : formatContaining(contained);
  const own = kubernetes === undefined ? (openshift === undefined ? "crosses" : "openshift") : "kubernetes";
  const message = `this preflight does not know that release, and takes ${PLATFORM_NAMES[other]} ${text} for the same`;
  const hint = `add ${other}: {crosses: "${text}"}`;
  return [{ severity: "warning", place: [...PLACE, own], isKey: true, message, hint }];
}
