import type { Crd } from "./crd.ts";
import type { JsonObject } from "./json.ts";
import type { Version } from "./version.ts";

/** A manifest of the target that would apply to this cluster. `file` is relative to the payload's folder. */
export type Manifest = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly file: string;
  readonly capabilities: readonly string[];
};

/** A part of the payload, or of what decides on its inclusion, that could not be used: the checks that need it are unknown. */
export type ReleaseProblem = { readonly reason: string; readonly where: string; readonly message: string };

export type Capabilities = {
  /** What the target knows: from its ClusterVersion CRD, where the payload has it. */
  readonly known: readonly string[];
  /** What would be enabled after the update. */
  readonly enabled: readonly string[];
  /** What the update would enable although nobody asked for it, since the cluster runs that part already. */
  readonly implicit: readonly string[];
};

/** The target release as it would be for one cluster. */
export type Release = {
  readonly version: Version;
  /** The folder that the CRDs are of, where no release is the target: texts name it, and the version is the cluster's own. */
  readonly crdFolder?: string;
  /** Pull spec, if it was given. */
  readonly image?: string;
  /** sha256 over the payload's manifest files, `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
  /** Kubernetes version without a leading v, where the payload says it. */
  readonly kubernetes?: string;
  readonly manifests: readonly Manifest[];
  /** What the target deletes where it is there; in none of the others. */
  readonly deleted: readonly Manifest[];
  readonly crds: readonly Crd[];
  /** The file of each of `crds`, by the CRD's name. */
  readonly crdFiles: ReadonlyMap<string, string>;
  readonly capabilities: Capabilities;
  readonly featureGates: readonly string[];
  readonly problems: readonly ReleaseProblem[];
};

/** What of the cluster decides which manifests of a payload apply. */
export type ClusterFacts = {
  readonly version: Version;
  readonly profile: string;
  /** "" is the Default feature set. */
  readonly featureSet: string;
  /** spec.customNoUpgrade of the FeatureGate, where the feature set is CustomNoUpgrade. */
  readonly customGates: { readonly enabled: readonly string[]; readonly disabled: readonly string[] };
  readonly capabilities: { readonly known: readonly string[]; readonly enabled: readonly string[] };
  readonly overrides: readonly JsonObject[];
};

/** Chooses from a payload what applies to a cluster. */
export type ReleaseSelector = (facts: ClusterFacts) => Release;
