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
