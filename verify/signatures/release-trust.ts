import { type JsonObject, listAt, textAt } from "../../src/model/json.ts";
import { SIGNATURES_LABEL, SIGNATURES_NAMESPACE } from "../../src/model/release.ts";
import { buildClaim, type TestKey } from "./openpgp.ts";

/** The data of ConfigMap release-verification for a cluster that trusts a key. */
export function buildKeyData({ keyring }: TestKey): Readonly<Record<string, string>> {
  const armored = `-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n${keyring.toString("base64")}\n-----END PGP PUBLIC KEY BLOCK-----\n`;
  return { "verifier-public-key-demo": armored };
}

/** The binary data of a ConfigMap with a signature of each image. */
export function buildSignatureData(key: TestKey, ...digests: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    digests.map((digest) => [`${digest.replace(":", "-")}-1`, key.sign(buildClaim(digest)).toString("base64")]),
  );
}

/** The two ConfigMaps with which a cluster verifies the images of its offered updates. */
export function buildReleaseTrust(key: TestKey, clusterVersion: JsonObject): readonly JsonObject[] {
  const updates = listAt(clusterVersion, "status", "conditionalUpdates").flatMap(
    (one) => textAt(one, "release", "image") ?? [],
  );
  const images = listAt(clusterVersion, "status", "availableUpdates").flatMap((one) => textAt(one, "image") ?? []);
  const digests = [...images, ...updates].map((image) => image.slice(image.indexOf("@") + 1));
  const build = (name: string, content: JsonObject): JsonObject => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace: SIGNATURES_NAMESPACE, name, labels: { [SIGNATURES_LABEL]: "" } },
    ...content,
  });
  return [
    build("release-verification", { data: buildKeyData(key) }),
    build("signatures", { binaryData: buildSignatureData(key, ...new Set(digests)) }),
  ];
}
