import { type JsonObject, compareText, objectAt, textAt } from "../../../model/json.ts";
import { toSignatureKey } from "../../../model/release.ts";
import type { FoundSignature, Keyring } from "./release-signature.ts";

/** The keyrings that a cluster trusts, and the stores in which it looks for signatures. */
export type SignatureTrust = { readonly keyrings: readonly Keyring[]; readonly stores: readonly string[] };

/** Parses the ConfigMap in which the cluster-version operator keeps what it trusts. */
export function parseSignatureTrust(configMap: JsonObject): SignatureTrust {
  const data = Object.entries(objectAt(configMap, "data")).toSorted(([a], [b]) => compareText(a, b));
  const texts = data.flatMap(([key, value]) => (typeof value === "string" ? [{ key, value: value.trim() }] : []));
  return {
    keyrings: texts
      .filter(({ key }) => key.startsWith("verifier-public-key-"))
      .map(({ key, value }) => ({ name: `the cluster's ${key}`, bytes: Buffer.from(value) })),
    stores: texts.filter(({ key }) => key.startsWith("store-")).map(({ value }) => value),
  };
}

/** The signatures of an image in a ConfigMap, as disconnected clusters have them: keys such as "sha256-<hex>-1", or without a number. */
export function parseSignatureConfigMap(configMap: JsonObject, digest: string): readonly FoundSignature[] {
  const name = `${textAt(configMap, "metadata", "namespace") ?? ""}/${textAt(configMap, "metadata", "name") ?? ""}`;
  return Object.entries(objectAt(configMap, "binaryData")).flatMap(([key, value]) => {
    if (!key.startsWith(toSignatureKey(digest)) || typeof value !== "string") return [];
    return [{ bytes: Buffer.from(value, "base64"), origin: `${key} in ConfigMap ${name}` }];
  });
}
