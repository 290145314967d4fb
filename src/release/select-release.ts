import type { Crd } from "../model/crd.ts";
import { byText } from "../model/json.ts";
import type { Capabilities, ClusterFacts, Manifest, Release } from "../model/release.ts";
import { contentProblems, deleteProblems, featureSetProblems, gateProblems } from "./doubts.ts";
import { withoutDuplicates } from "./duplicates.ts";
import { computeGates } from "./feature-gates.ts";
import { type InclusionFacts, capabilitiesOf, whyExcluded } from "./inclusion.ts";
import { isUnmanaged } from "./overrides.ts";
import type { Payload, PayloadManifest } from "./payload.ts";
import { computeCapabilities } from "./release-capabilities.ts";

const DELETE = "release.openshift.io/delete";
const CREATE_ONLY = "release.openshift.io/create-only";

type CrdInFile = { readonly crd: Crd; readonly file: string };

/**
 * What of a payload would apply to a cluster. A CRD that is only created where it is absent stays among the manifests but not among the
 * CRDs, since it changes nothing that is there; what the target deletes is in neither, but among the deleted. Of two manifests for one object neither is used.
 */
export function selectRelease(payload: Payload, facts: ClusterFacts): Release {
  const gates = computeGates(payload, facts);
  const inclusion: InclusionFacts = {
    payload: payload.kind,
    profile: facts.profile,
    featureSet: facts.featureSet || "Default",
    gates: new Set(gates.kind === "known" ? gates.enabled : []),
    major: payload.version.major,
  };
  const annotated = payload.manifests.filter((manifest) => whyExcluded(manifest, inclusion) === undefined);
  const capabilities = computeCapabilities(payload.version, findClusterVersion(annotated), facts);
  const managed = annotated.filter(
    (manifest) => isEnabled(manifest, capabilities) && !isUnmanaged(manifest, facts.overrides),
  );
  const { unique, problems } = withoutDuplicates(managed.filter((manifest) => !manifest.annotations.has(DELETE)));
  const crds = unique.flatMap(changedCrd).toSorted((a, b) => byText(a.crd.name, b.crd.name));
  return {
    version: payload.version,
    ...(payload.image === undefined ? {} : { image: payload.image }),
    digest: payload.digest,
    ...(payload.kubernetes === undefined ? {} : { kubernetes: payload.kubernetes }),
    manifests: unique.map(toManifest),
    deleted: managed.filter(({ annotations }) => annotations.get(DELETE) === "true").map(toManifest),
    crds: crds.map(({ crd }) => crd),
    crdFiles: new Map(crds.map(({ crd, file }) => [crd.name, file])),
    capabilities,
    featureGates: gates.kind === "known" ? gates.enabled : [],
    problems: [
      ...payload.problems,
      ...(gates.kind === "unknown" ? gateProblems(payload, inclusion, gates.why) : []),
      ...featureSetProblems(payload, inclusion),
      ...deleteProblems(managed, DELETE),
      ...contentProblems(unique),
      ...problems,
    ],
  };
}

function findClusterVersion(manifests: readonly PayloadManifest[]): Crd | undefined {
  return manifests.find(({ crd }) => crd?.name === "clusterversions.config.openshift.io")?.crd;
}

function isEnabled(manifest: PayloadManifest, capabilities: Capabilities): boolean {
  return capabilitiesOf(manifest).every(
    (name) => capabilities.known.includes(name) && capabilities.enabled.includes(name),
  );
}

function changedCrd({ crd, file, annotations }: PayloadManifest): readonly CrdInFile[] {
  return crd && annotations.get(CREATE_ONLY) !== "true" ? [{ crd, file }] : [];
}

function toManifest(manifest: PayloadManifest): Manifest {
  const { apiVersion, kind, namespace, name, file } = manifest;
  return {
    apiVersion,
    kind,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    file,
    capabilities: capabilitiesOf(manifest),
  };
}
