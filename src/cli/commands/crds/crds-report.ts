import type { Finding, Unknown } from "../../../model/check.ts";
import type { Crd } from "../../../model/crd.ts";
import type { CrdChange, CrdEffect, NotJudged } from "../../../model/crd-changes.ts";
import { type JsonObject, compareText, parseObject } from "../../../model/json.ts";
import type { Outcome } from "../../../model/report.ts";
import { getGroup, type ObjectRef, refOf } from "../../../model/resource.ts";
import { findSchemaChanges } from "../../../schema/crd/index.ts";
import type { CrdPlaces, CrdSet, VariantChoice } from "./crd-set.ts";
import { joinNames } from "../../../model/text.ts";
import type { LeftOutCrd } from "../../../release/payload/crd-variants.ts";
import type { SortedObjects } from "./objects.ts";

/** What each risk of crd-skew is to the author of a CRD. Others are about a cluster. */
const EFFECTS: Readonly<Record<string, CrdEffect>> = {
  CrdNamesChanged: "lost",
  CrdRefused: "refused",
  CrdScopeOrKindChanged: "refused",
  CrdStoredVersionRemoved: "refused",
  CrdSubresourceRemoved: "lost",
  CustomResourceFieldsDropped: "dropped",
  CustomResourceFieldsFrozen: "frozen",
  CustomResourceInvalid: "rejected",
};

const ORDER: readonly CrdEffect[] = ["refused", "rejected", "frozen", "dropped", "lost", "stricter", "mayBeStricter"];

export function sortChanges(changes: readonly CrdChange[]): readonly CrdChange[] {
  const getKey = ({ crd, version = "", path = "", object, message }: CrdChange): string =>
    [crd, version, object?.namespace ?? "", object?.name ?? "", path, message].join("\u0000");
  return changes.toSorted(
    (a, b) => ORDER.indexOf(a.effect) - ORDER.indexOf(b.effect) || compareText(getKey(a), getKey(b)),
  );
}

/** What the API server would refuse, and what objects would lose, as crd-skew finds it on a cluster. */
export function buildVerdictChanges(
  outcome: Outcome,
  targets: readonly Crd[],
  places: CrdPlaces,
): readonly CrdChange[] {
  if (outcome.kind !== "risk" && outcome.kind !== "unknown") return [];
  return outcome.findings.flatMap((finding) => {
    const effect = EFFECTS[finding.risk];
    if (effect === undefined) return [];
    return finding.object.kind === "CustomResourceDefinition"
      ? [buildDefinitionChange(effect, finding, places)]
      : buildObjectChange(effect, finding, targets, places);
  });
}

function buildDefinitionChange(effect: CrdEffect, { object, path, message }: Finding, places: CrdPlaces): CrdChange {
  const place = places.findPath(object.name, path ?? "");
  return { effect, crd: object.name, message, path, place };
}

function buildObjectChange(
  effect: CrdEffect,
  { object, path, message }: Finding,
  targets: readonly Crd[],
  places: CrdPlaces,
): readonly CrdChange[] {
  const [group = "", version] = object.apiVersion.split("/");
  const crd = targets.find((one) => one.group === group && one.kind === object.kind);
  if (crd === undefined) return [];
  const place = places.findField(crd.name, version, toSchemaKeys(path ?? ""));
  return [{ effect, crd: crd.name, object, message, version, path, place }];
}

/** "spec.list[0].mode" to the keys of its schema. */
function toSchemaKeys(path: string): readonly string[] {
  const parts = path.split(/\.|(?=\[)/).filter((part) => part !== "");
  return parts.flatMap((part) => (part.startsWith("[") ? ["items"] : ["properties", part]));
}

/** Objects in versions that the new CRD does not serve, such as samples that nobody has moved on. */
export function buildUnservedChanges(
  objects: readonly JsonObject[],
  from: readonly Crd[],
  to: readonly Crd[],
  places: CrdPlaces,
): readonly CrdChange[] {
  return objects.map(refOf).flatMap((object): readonly CrdChange[] => {
    const version = getVersion(object);
    const before = findCrdOf(object, from);
    const after = findCrdOf(object, to);
    if (before === undefined || !serves(before, version)) return [];
    if (after === undefined)
      return [{ effect: "rejected", crd: before.name, version, object, message: "Its CRD is gone." }];
    if (serves(after, version)) return [];
    const message = `The new CRD does not serve version ${version}.`;
    const place = places.findField(after.name, version, []);
    return [{ effect: "rejected", crd: after.name, version, object, message, place }];
  });
}

export function findCrdOf({ apiVersion, kind }: ObjectRef, crds: readonly Crd[]): Crd | undefined {
  return crds.find((crd) => crd.group === getGroup(apiVersion) && crd.kind === kind);
}

export function getVersion({ apiVersion }: ObjectRef): string {
  return apiVersion.slice(apiVersion.lastIndexOf("/") + 1);
}

export function serves({ versions }: Crd, version: string): boolean {
  return versions.some(({ name, served }) => served && name === version);
}

/** What the schemas themselves have less of, or allow less of, in versions that both CRDs serve. */
export function buildSchemaChanges(from: readonly Crd[], to: CrdSet, places: CrdPlaces): readonly CrdChange[] {
  return from.flatMap((before) => {
    const after = to.release.crds.find(({ name }) => name === before.name);
    if (after === undefined) return buildLostChanges(before, to);
    return before.versions
      .filter(({ served }) => served)
      .flatMap(({ name, schema }) => compareVersions({ before, after, name, schema, places }));
  });
}

/** A CRD that can't be used is not gone, and was reported as that. */
function buildLostChanges({ name }: Crd, { applying, leftOut }: CrdSet): readonly CrdChange[] {
  if (applying.has(name)) return [];
  const isLeftOut = leftOut.some(({ crd }) => crd.name === name);
  const message = isLeftOut
    ? "The CRD itself is gone where it was: only other variants of it are left."
    : "The CRD itself is gone.";
  return [{ effect: "lost", crd: name, message }];
}

type ComparedVersion = {
  readonly before: Crd;
  readonly after: Crd;
  readonly name: string;
  readonly schema: string;
  readonly places: CrdPlaces;
};

function compareVersions({ before, after, name, schema, places }: ComparedVersion): readonly CrdChange[] {
  const version = after.versions.find((one) => one.name === name);
  const shared = { crd: before.name, version: name };
  if (!version?.served) {
    const message = `The version is no longer ${version === undefined ? "there" : "served"}.`;
    return [{ ...shared, effect: "lost", message, place: places.findField(before.name, name, []) }];
  }
  const old = parseObject(schema);
  const now = parseObject(version.schema);
  if (old === undefined || now === undefined || schema === version.schema) return [];
  return findSchemaChanges(old, now).map(({ kind, path, keys, message }) => ({
    ...shared,
    effect: kind === "lost" || kind === "mayBeStricter" ? kind : "stricter",
    message,
    path: path === "" ? undefined : path,
    place: places.findField(before.name, name, keys),
  }));
}

type LeftOut = { readonly unknowns: readonly NotJudged[]; readonly leftOut: readonly NotJudged[] };

/** The variants that are not judged: `leftOut` where somebody chose the feature set or profile that leaves them out. */
export function listLeftOutCrds(from: CrdSet, to: CrdSet, choice: VariantChoice): LeftOut {
  // A variant on both sides is one; its file is the new one.
  const variants = new Map(
    [from, to].flatMap((set) => set.leftOut.map((one) => [buildKey(one), { ...one, locate: set.locate }] as const)),
  );
  const sorted = [...variants].toSorted(([a], [b]) => compareText(a, b)).map(([, variant]) => variant);
  const isChosen = ({ by, isGuess }: LeftOutCrd): boolean =>
    !isGuess && choice.chosen.some((kind) => kind === (by === "featureGate" ? "featureSet" : by));
  const toNotJudged = ({ locate, ...variant }: (typeof sorted)[number]): NotJudged => ({
    reason: REASONS[variant.by],
    where: variant.crd.name,
    message: describe(variant, choice),
    file: locate(variant.file),
    ...(isOtherVariant(variant) ? { isOtherVariant: true as const } : {}),
  });
  return {
    unknowns: sorted.filter((one) => !isChosen(one)).map(toNotJudged),
    leftOut: sorted.filter(isChosen).map(toNotJudged),
  };
}

/** Such a variant is for another cluster. What can't be used, or may be meant for the judged one, is not. */
function isOtherVariant({ by, isGuess }: LeftOutCrd): boolean {
  return !isGuess && by !== "annotations";
}

function buildKey({ crd, by, why, onlyFor }: LeftOutCrd): string {
  return [crd.name, by, why, ...onlyFor].join("\u0000");
}

/** Reasons are part of the output: they never change. */
const REASONS: Readonly<Record<LeftOutCrd["by"], NotJudged["reason"]>> = {
  annotations: "InvalidAnnotations",
  featureSet: "OtherFeatureSet",
  featureGate: "FeatureGateNotEnabled",
  majorVersion: "OtherMajorVersion",
  profile: "OtherProfile",
};

function describe({ by, why, onlyFor, isGuess }: LeftOutCrd, { featureSet, profile }: VariantChoice): string {
  if (isGuess)
    return `whether its gates are enabled is not known (${why}): put the FeatureGate manifests beside the CRDs`;
  if (by === "featureGate") return `${why} in ${featureSet}: see --feature-set`;
  if (onlyFor.length === 0 || !(by === "featureSet" || by === "profile")) return `its annotations leave it out: ${why}`;
  const [what, judged] = by === "featureSet" ? ["feature-set", featureSet] : ["profile", profile];
  return `it is for ${joinNames(onlyFor)}, and ${judged} is judged: see --${what}`;
}

/** A side of which nothing is left to judge says nothing about the other. */
function listEmptySides(sets: readonly CrdSet[], { featureSet, profile }: VariantChoice): readonly NotJudged[] {
  return sets
    .filter(({ release }) => release.crds.length === 0)
    .map(({ path }) => ({
      reason: "NothingJudged",
      where: path === "-" ? "stdin" : path,
      message: `it has no CRD that can be used for the feature set ${featureSet} and the profile ${profile}`,
    }));
}

/** Files that can't be used, on either side. */
function listProblems(sets: readonly CrdSet[]): readonly NotJudged[] {
  return sets.flatMap(({ release, locate }) =>
    release.problems.map(({ reason, where, message }) => ({
      reason,
      where,
      message,
      file: locate(where),
    })),
  );
}

type Parts = {
  readonly sets: readonly CrdSet[];
  readonly choice: VariantChoice;
  readonly outcome: Outcome;
  readonly variants: { readonly unknowns: readonly NotJudged[] };
  readonly objects: SortedObjects;
};

/** All that could not be judged, each once: the check reports the problems of the new files too. */
export function listUnknowns({ sets, choice, outcome, variants, objects }: Parts): readonly NotJudged[] {
  const problems = listProblems(sets);
  const isProblem = ({ reason, message }: Unknown): boolean =>
    problems.some((problem) => problem.reason === reason && problem.message === message);
  const ofCheck = outcome.kind === "unknown" ? outcome.unknowns : [];
  return [
    ...listEmptySides(sets, choice),
    ...problems,
    ...ofCheck.filter((unknown) => !IGNORED.has(unknown.reason) && !isProblem(unknown)),
    ...variants.unknowns,
    ...objects.unknowns,
  ];
}

/** A cluster's webhooks are not there, and a folder without CRDs is told in words of its own. */
const IGNORED: ReadonlySet<string> = new Set(["NotRecorded", "NoTargetCrds"]);
