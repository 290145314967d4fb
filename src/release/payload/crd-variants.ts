import type { Crd } from "../../model/crd.ts";
import type { ClusterFacts, Release } from "../../model/release.ts";
import { computeFeatureGates } from "./feature-gates.ts";
import type { Exclusion } from "./inclusion.ts";
import { CAPABILITY, FEATURE_SET, INCLUDE, MAJOR_VERSION, findExclusion, isIncluded } from "./inclusion.ts";
import type { Payload, PayloadManifest } from "./payload.ts";
import { buildInclusionFacts, CREATE_ONLY, DELETE, selectRelease } from "./release-selection.ts";

/** A variant of a CRD that does not apply. `onlyFor`: the feature sets or profiles that it is for, if one of them decides. */
export type LeftOutCrd = Exclusion & {
  readonly crd: Crd;
  readonly file: string;
  readonly onlyFor: readonly string[];
  /** It depends on gates, and which of them are enabled is not known. */
  readonly isGuess: boolean;
};

/** Its gates are those that somebody enabled in a cluster. */
const CUSTOM = "CustomNoUpgrade";

/** Where a CRD is defined: in the `index`th manifest of its name in the file. */
export type CrdDocument = { readonly file: string; readonly index: number };

/** The CRDs of one feature set and profile, and what that leaves out. */
export type CrdVariants = {
  readonly release: Release;
  readonly documents: ReadonlyMap<string, CrdDocument>;
  readonly leftOut: readonly LeftOutCrd[];
  /** The names of all CRDs that apply, also of those that can't be used. */
  readonly applying: ReadonlySet<string>;
  /** Whether annotations decide on any of them. */
  readonly isAnnotated: boolean;
};

/** Selects the CRDs that the operator would apply to a cluster with each capability, also those that it only creates. */
export function selectCrdVariants(payload: Payload, facts: ClusterFacts): CrdVariants {
  const bare = { ...payload, manifests: payload.manifests.map(dropConditions) };
  const crds = bare.manifests.filter(({ crd, contentError }) => crd !== undefined || contentError !== undefined);
  const gates = computeFeatureGates(bare, facts);
  const inclusion = buildInclusionFacts(bare, facts, gates);
  const applying = crds.filter((manifest) => isIncluded(manifest, inclusion));
  return {
    release: selectRelease(bare, facts),
    documents: new Map(applying.map((manifest) => [manifest.name, locate(manifest, crds)])),
    leftOut: crds.flatMap((manifest): readonly LeftOutCrd[] => {
      const exclusion = findExclusion(manifest, inclusion);
      const { crd, file } = manifest;
      if (exclusion === undefined || crd === undefined) return [];
      const isGuess = exclusion.by === "featureGate" && !(gates.kind === "known" && facts.featureSet !== CUSTOM);
      return [{ ...exclusion, crd, file, onlyFor: listOnlyFor(manifest, exclusion), isGuess }];
    }),
    applying: new Set(applying.filter(({ annotations }) => annotations.get(DELETE) !== "true").map(({ name }) => name)),
    isAnnotated: crds.some(({ annotations }) => annotations.size > 0),
  };
}

/** There is no cluster whose capabilities or major version could decide. */
function dropConditions(manifest: PayloadManifest): PayloadManifest {
  const dropped = manifest.gates ? MAJOR_VERSION : CAPABILITY;
  const annotations = [...manifest.annotations].filter(([key]) => key !== dropped && key !== CREATE_ONLY);
  return { ...manifest, annotations: new Map(annotations) };
}

function locate({ name, file, crd }: PayloadManifest, crds: readonly PayloadManifest[]): CrdDocument {
  const same = crds.filter((other) => other.file === file && other.name === name);
  return { file, index: same.findIndex((other) => other.crd === crd) };
}

function listOnlyFor({ annotations }: PayloadManifest, { by }: Exclusion): readonly string[] {
  if (by === "featureSet") return annotations.get(FEATURE_SET)?.split(",") ?? [];
  if (by !== "profile") return [];
  return [...annotations].flatMap(([key, value]) =>
    key.startsWith(INCLUDE) && value === "true" ? [key.slice(INCLUDE.length)] : [],
  );
}
