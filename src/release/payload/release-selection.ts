import type { Crd } from "../../model/crd.ts";
import { type JsonObject, compareText, flagAt, textAt } from "../../model/json.ts";
import type { Capabilities, ClusterFacts, ReleaseManifest, Release } from "../../model/release.ts";
import { getGroup } from "../../model/resource.ts";
import {
  findContentProblems,
  findDeleteProblems,
  findFeatureSetProblems,
  findGateProblems,
} from "./manifest-problems.ts";
import { dropDuplicates } from "./duplicates.ts";
import { computeFeatureGates, type FeatureGates } from "./feature-gates.ts";
import { type InclusionFacts, getCapabilities, isIncluded } from "./inclusion.ts";
import type { Payload, PayloadManifest } from "./payload.ts";
import { computeCapabilities } from "./release-capabilities.ts";

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
