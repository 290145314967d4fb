import { getKnownCapabilities } from "../../model/capabilities.ts";
import type { Crd } from "../../model/crd.ts";
import { type Json, type JsonObject, compareText, flagAt, textAt, textsAt } from "../../model/json.ts";
import type { Capabilities, ClusterFacts, Release, ReleaseManifest, ReleaseProblem } from "../../model/release.ts";
import { getGroup } from "../../model/resource.ts";
import type { Version } from "../../model/version.ts";
import { type FeatureGates, computeFeatureGates } from "./feature-gates.ts";
import type { InclusionFacts } from "./inclusion.ts";
import { FEATURE_GATE, FEATURE_SET, findUnknownFeatureSets, getCapabilities, isIncluded } from "./inclusion.ts";
import { type Payload, type PayloadManifest, buildProblem } from "./payload.ts";

export const DELETE = "release.openshift.io/delete";
export const CREATE_ONLY = "release.openshift.io/create-only";

type CrdFile = { readonly crd: Crd; readonly file: string };

/**
 * Selects the manifests of a payload that apply to a cluster. A create-only CRD is among the manifests but not among the CRDs, since it
 * never changes an existing one; an object that the target deletes is only among `deleted`. If two manifests define one object, neither is used.
 */
export function selectRelease(payload: Payload, facts: ClusterFacts): Release {
  const gates = computeFeatureGates(payload, facts);
  const inclusion = buildInclusionFacts(payload, facts, gates);
  const includedManifests = payload.manifests.filter((manifest) => isIncluded(manifest, inclusion));
  const capabilities = computeCapabilities(payload.version, findClusterVersionCrd(includedManifests), facts);
  const applicable = includedManifests.filter((manifest) => isCapabilityEnabled(manifest, capabilities));
  const managedManifests = applicable.filter((manifest) => !isUnmanaged(manifest, facts.overrides));
  const { unique, problems } = dropDuplicates(managedManifests.filter((manifest) => !manifest.annotations.has(DELETE)));
  const crds = unique.flatMap(selectChangedCrd).toSorted((a, b) => compareText(a.crd.name, b.crd.name));
  return {
    version: payload.version,
    image: payload.image,
    digest: payload.digest,
    kubernetes: payload.kubernetes,
    manifests: unique.map(buildManifest),
    deleted: managedManifests.filter(({ annotations }) => annotations.get(DELETE) === "true").map(buildManifest),
    crds: crds.map(({ crd }) => crd),
    crdFiles: new Map(crds.map(({ crd, file }) => [crd.name, file])),
    capabilities,
    featureGates: gates.kind === "known" ? gates.enabled : [],
    problems: [
      ...payload.problems,
      ...(gates.kind === "unknown" ? findGateProblems(payload, inclusion, gates.why) : []),
      ...findFeatureSetProblems(payload, inclusion),
      ...findDeleteProblems(managedManifests, DELETE),
      ...findContentProblems(unique),
      ...problems,
    ],
    leftOut: payload.warnings,
    ...selectChecks(applicable),
  };
}

/** An override keeps the operator from applying a manifest, but the release's checks are not what is applied. */
function selectChecks(applicable: readonly PayloadManifest[]): Pick<Release, "checks"> {
  const manifests = applicable.filter(({ annotations }) => !annotations.has(DELETE));
  const checks = manifests.flatMap(({ checks: texts = [] }) => texts);
  const byName = Map.groupBy(checks, ({ name }) => name);
  const unique = [...byName].flatMap(([name, [first, ...others]]) =>
    first === undefined || others.length === 0 ? (first ?? []) : [{ name, problem: "several manifests define it" }],
  );
  return unique.length === 0 ? {} : { checks: unique.toSorted((a, b) => compareText(a.name, b.name)) };
}

export function buildInclusionFacts(payload: Payload, facts: ClusterFacts, gates: FeatureGates): InclusionFacts {
  return {
    payload: payload.kind,
    profile: facts.profile,
    featureSet: facts.featureSet || "Default",
    gates: new Set(gates.kind === "known" ? gates.enabled : []),
    major: payload.version.major,
  };
}

function findClusterVersionCrd(manifests: readonly PayloadManifest[]): Crd | undefined {
  return manifests.find(({ crd }) => crd?.name === "clusterversions.config.openshift.io")?.crd;
}

function isCapabilityEnabled(manifest: PayloadManifest, capabilities: Capabilities): boolean {
  return getCapabilities(manifest).every(
    (name) => capabilities.known.includes(name) && capabilities.enabled.includes(name),
  );
}

/** Whether the first override for this object makes it unmanaged. An override's namespace counts for namespaced objects only. */
function isUnmanaged(manifest: PayloadManifest, overrides: readonly JsonObject[]): boolean {
  const match = overrides.find(
    (override) =>
      (textAt(override, "group") ?? "") === getGroup(manifest.apiVersion) &&
      textAt(override, "kind") === manifest.kind &&
      textAt(override, "name") === manifest.name &&
      (manifest.namespace === undefined || textAt(override, "namespace") === manifest.namespace),
  );
  return match !== undefined && flagAt(match, "unmanaged") === true;
}

function selectChangedCrd({ crd, file, annotations }: PayloadManifest): readonly CrdFile[] {
  return crd && annotations.get(CREATE_ONLY) !== "true" ? [{ crd, file }] : [];
}

function buildManifest(manifest: PayloadManifest): ReleaseManifest {
  const { apiVersion, kind, namespace, name, file, read } = manifest;
  return {
    apiVersion,
    kind,
    namespace,
    name,
    file,
    read,
    capabilities: getCapabilities(manifest),
  };
}

/**
 * The capabilities after the update. Known are those in the target's ClusterVersion CRD, which omits those whose feature gate is off;
 * without that CRD those of our own table, and for minors newer than the table those that the cluster knows.
 *
 * Capabilities that only the target knows count as enabled: the baseline vCurrent includes them, and with a fixed baseline the
 * cluster-version operator enables a capability if it already manages an object of it (GetImplicitlyEnabledCapabilities), so that a
 * component that becomes optional keeps running. A wholly new component can't be distinguished without the source's payload, so the
 * result may have one capability too many. A capability that the target does not know (rollback, another feature set) can't be enabled.
 */
function computeCapabilities(target: Version, clusterVersion: Crd | undefined, facts: ClusterFacts): Capabilities {
  const known = selectKnownCapabilities(target, clusterVersion, facts).toSorted(compareText);
  const source = facts.capabilities;
  // Releases before 4.11 ran every component, and an update from them enables every capability.
  if (source.known.length === 0) return { known, enabled: known, implicit: [] };
  const implicit = known.filter((name) => !source.known.includes(name));
  const enabled = known.filter((name) => source.enabled.includes(name) || implicit.includes(name));
  return { known, enabled, implicit };
}

function selectKnownCapabilities(
  target: Version,
  clusterVersion: Crd | undefined,
  facts: ClusterFacts,
): readonly string[] {
  if (clusterVersion) return parseKnownCapabilities(clusterVersion);
  return getKnownCapabilities(target, facts.featureSet) ?? facts.capabilities.known;
}

function parseKnownCapabilities(crd: Crd): readonly string[] {
  const schema = crd.versions.find((version) => version.storage)?.schema;
  if (!schema) return [];
  const parsed: Json = JSON.parse(schema);
  const status = ["properties", "status", "properties", "capabilities", "properties"];
  return textsAt(parsed, ...status, "knownCapabilities", "items", "enum");
}

type UniqueManifests = { readonly unique: readonly PayloadManifest[]; readonly problems: readonly ReleaseProblem[] };

/** Drops all manifests of an object (group, kind, namespace, name) that more than one defines, and reports their files. */
function dropDuplicates(manifests: readonly PayloadManifest[]): UniqueManifests {
  const groups = Map.groupBy(manifests, getObjectKey);
  const unique = manifests.filter((manifest) => groups.get(getObjectKey(manifest))?.length === 1);
  const problems = [...groups.values()].flatMap((group) => {
    const [first, ...others] = group;
    return first === undefined || others.length === 0 ? [] : [buildDuplicateProblem(first, others)];
  });
  return { unique, problems };
}

function getObjectKey(manifest: PayloadManifest): string {
  return JSON.stringify([getGroup(manifest.apiVersion), manifest.kind, manifest.namespace ?? "", manifest.name]);
}

function buildDuplicateProblem(first: PayloadManifest, others: readonly PayloadManifest[]): ReleaseProblem {
  const files = [first, ...others].map(({ file }) => file);
  const object = `${first.kind} ${first.namespace === undefined ? "" : `${first.namespace}/`}${first.name}`;
  const message = `${object} is defined more than once for this cluster, in ${files.join(" and in ")}: none of these is used`;
  return buildProblem("DuplicateManifest", first.file, message);
}

/** Reports the manifests that apply or not depending on the target's gates, if these are unknown. */
function findGateProblems(payload: Payload, facts: InclusionFacts, why: string): readonly ReleaseProblem[] {
  const gatedManifests = payload.manifests.filter(
    (manifest) =>
      manifest.annotations.has(FEATURE_GATE) &&
      !manifest.annotations.has(FEATURE_SET) &&
      wouldApplyWithout(FEATURE_GATE, manifest, facts),
  );
  const [first] = gatedManifests;
  if (!first) return [];
  const message = `${first.file}${formatMore(gatedManifests.length - 1)} requires feature gates, but ${why}`;
  return [buildProblem("FeatureGatesUnknown", first.file, message)];
}

/** The operator leaves out a manifest with a feature set that it does not know, but the target's operator may know more than preflight. */
function findFeatureSetProblems(payload: Payload, facts: InclusionFacts): readonly ReleaseProblem[] {
  return payload.manifests.flatMap((manifest) => {
    const unknown = findUnknownFeatureSets(manifest);
    const isForFeatureSet = manifest.annotations.get(FEATURE_SET)?.split(",").includes(facts.featureSet);
    if (unknown.length === 0 || !isForFeatureSet || !wouldApplyWithout(FEATURE_SET, manifest, facts)) return [];
    const message = `it is left out because its feature set ${unknown.map((name) => JSON.stringify(name)).join(", ")} is not known`;
    return [buildProblem("UnknownFeatureSet", manifest.file, message)];
  });
}

function findDeleteProblems(manifests: readonly PayloadManifest[], annotation: string): readonly ReleaseProblem[] {
  return manifests.flatMap(({ annotations, file, kind, name }) => {
    const value = annotations.get(annotation);
    if (value === undefined || value === "true") return [];
    const message = `${annotation} of ${kind} ${name} is ${JSON.stringify(value)}, but only "true" is valid`;
    return [buildProblem("InvalidAnnotation", file, message)];
  });
}

function findContentProblems(manifests: readonly PayloadManifest[]): readonly ReleaseProblem[] {
  return manifests.flatMap(({ contentError, file, name }) => {
    if (contentError === undefined) return [];
    return [buildProblem("InvalidManifest", file, `${file}: ${name} ${contentError}`)];
  });
}

function wouldApplyWithout(annotation: string, manifest: PayloadManifest, facts: InclusionFacts): boolean {
  const annotations = new Map([...manifest.annotations].filter(([key]) => key !== annotation));
  // Without any annotation it would count as a manifest that never had one.
  return annotations.size > 0 && isIncluded({ ...manifest, annotations }, facts);
}

function formatMore(count: number): string {
  return count === 0 ? "" : ` (and ${count} more)`;
}
