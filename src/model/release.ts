import type { Crd } from "./crd.ts";
import type { JsonObject } from "./json.ts";
import type { ReadFailureReason } from "./reader.ts";
import type { ObjectRef } from "./resource.ts";
import type { UnknownReason } from "./unknown-reason.ts";
import type { Version } from "./version.ts";

/** A manifest of the target that would apply to this cluster. `file` is relative to the payload's folder. */
export type ReleaseManifest = ObjectRef & {
  readonly file: string;
  readonly capabilities: readonly string[];
  /** Reads the object; undefined if its file has changed since. Absent of a CRD, of a Secret, and beyond what is kept of a payload. */
  readonly read?: () => JsonObject | undefined;
};

/** A part of the payload, or a fact that decides on inclusion, that could not be used: checks that need manifests are then unknown. */
export type ReleaseProblem = { readonly reason: UnknownReason; readonly where: string; readonly message: string };

export type Capabilities = {
  /** The capabilities that the target knows: from its ClusterVersion CRD, if the payload has it. */
  readonly known: readonly string[];
  /** Those enabled after the update. */
  readonly enabled: readonly string[];
  /** Those that the update enables implicitly, because the cluster runs that component already. */
  readonly implicit: readonly string[];
};

/** Whether the cluster trusts the signature of the target's image. The message follows the image: "verified by ...". */
export type ImageVerification = {
  readonly status: "Verified" | "Untrusted" | "Unknown";
  /** Of Unknown: why the keys could not be read. */
  readonly reason?: ReadFailureReason;
  readonly message: string;
};

/** A text of the payload that holds checks, or why it can't be used. `name`: "ConfigMap NAMESPACE/NAME KEY". */
export type ReleaseCheckText = { readonly name: string } & (
  | { readonly text: string; readonly digest: string }
  | { readonly problem: string }
);

/** The target release as it applies to one cluster. */
export type Release = {
  readonly version: Version;
  /** The folder of the CRDs, if the target is not a release: texts name it, and the version is the cluster's own. */
  readonly crdFolder?: string;
  /** Of such a target, the CRDs of which no variant applies to the cluster. */
  readonly crdsLeftOut?: readonly string[];
  /** Pull spec, if it was given. */
  readonly image?: string;
  readonly imageVerification?: ImageVerification;
  /** sha256 over the payload's manifest files, `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
  /** Kubernetes version without a leading v, if the payload names it. */
  readonly kubernetes?: string;
  readonly manifests: readonly ReleaseManifest[];
  /** Objects that the target deletes; not among `manifests`. */
  readonly deleted: readonly ReleaseManifest[];
  readonly crds: readonly Crd[];
  /** The file of each of `crds`, by the CRD's name. */
  readonly crdFiles: ReadonlyMap<string, string>;
  readonly capabilities: Capabilities;
  readonly featureGates: readonly string[];
  readonly problems: readonly ReleaseProblem[];
  /** Files left out that hold neither CRDs nor what decides on inclusion: nobody knows what else is in them. */
  readonly leftOut?: readonly ReleaseProblem[];
  /** Of the problems, the facts of the cluster that could not be read: nobody knows whether what is selected here applies to it. */
  readonly unknownFacts?: readonly ReleaseProblem[];
  /** The checks that its components bring. */
  readonly checks?: readonly ReleaseCheckText[];
};

/** The facts of a cluster that decide which manifests of a payload apply. */
export type ClusterFacts = {
  readonly version: Version;
  readonly profile: string;
  /** "" is the Default feature set. */
  readonly featureSet: string;
  /** spec.customNoUpgrade of the FeatureGate, if the feature set is CustomNoUpgrade. */
  readonly customGates: { readonly enabled: readonly string[]; readonly disabled: readonly string[] };
  readonly capabilities: { readonly known: readonly string[]; readonly enabled: readonly string[] };
  readonly overrides: readonly JsonObject[];
};

/** Selects the manifests of a payload that apply to a cluster. */
export type ReleaseSelector = (facts: ClusterFacts) => Release;

/** The ConfigMap with the keys by which the running release verifies others, and the stores in which it looks for their signatures. */
export const RELEASE_TRUST = {
  apiVersion: "v1",
  kind: "ConfigMap",
  namespace: "openshift-config-managed",
  name: "release-verification",
} as const;

/** Where ConfigMaps with signatures are; any of them that has the label counts. */
export const SIGNATURES_NAMESPACE = RELEASE_TRUST.namespace;
export const SIGNATURES_LABEL = "release.openshift.io/verification-signatures";

/** How the key of an image's signature begins: "sha256-" and 64 digits. */
export function toSignatureKey(digest: string): string {
  return digest.replace(":", "-");
}

export function isSignatureKey(key: string): boolean {
  return /^sha256-[0-9a-f]{64}(?:-\d+)?$/.test(key);
}

/** oc-mirror keeps all signatures in one ConfigMap; `oc` and the operator itself name one after each digest. */
export const MIRRORED_SIGNATURES = "mirrored-release-signatures";
export function listSignatureConfigMaps(digest: string): readonly string[] {
  return [MIRRORED_SIGNATURES, toSignatureKey(digest)];
}
