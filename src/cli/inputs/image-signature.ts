import type { JsonObject } from "../../model/json.ts";
import type { ImageVerification } from "../../model/release.ts";
import { parseResource } from "../../model/resource.ts";
import type { ImageOptions } from "../../release-image/image-options.ts";
import type { FoundSignature, SignatureVerdict } from "../../release-image/signature/release-signature.ts";
import type { SignatureTrust } from "../../release-image/signature/signature-stores.ts";
import type { ClusterSession } from "../client/connection.ts";
import { formatCount } from "../../format/count.ts";
import { joinNames } from "../../model/names.ts";

/** The ConfigMap of the running release with the keys and stores that its operator trusts. */
const TRUST = {
  resource: parseResource("v1/configmaps"),
  namespace: "openshift-config-managed",
  name: "release-verification",
};
const SIGNATURES_LABEL = "release.openshift.io/verification-signatures";

/** Whether the cluster would accept the signature of an image, by the keys and stores that its own release trusts. */
export async function verifyImage(
  digest: string | undefined,
  store: string | undefined,
  cluster: ClusterSession,
  options: ImageOptions,
): Promise<ImageVerification> {
  if (digest === undefined)
    return describe({ kind: "unverifiable", why: "an archive of docker does not keep the digest that is signed" });
  const trust = await readTrust(cluster, options.signal);
  if (typeof trust === "string") return describe({ kind: "unverifiable", why: trust });
  return describe(await searchSignatures(digest, trust, listPlaces(digest, store, trust, cluster, options), options));
}

async function readTrust({ reader }: ClusterSession, signal: AbortSignal): Promise<SignatureTrust | string> {
  const { parseSignatureTrust } = await import("../../release-image/signature/signature-stores.ts");
  const where = `ConfigMap ${TRUST.namespace}/${TRUST.name}`;
  const read = await reader.get(TRUST, signal);
  if (read.kind === "failed")
    return `${where}, which has the keys that the cluster trusts, can't be read: ${read.message}`;
  if (read.kind === "absent") return `the cluster has no ${where}, which names the keys that it trusts`;
  const trust = parseSignatureTrust(read.object);
  return trust.keyrings.length > 0 ? trust : `${where} names no key that the cluster trusts`;
}

/** A place that may have signatures, read only if those before it did not suffice. */
type Place = {
  readonly name: string;
  readonly read: () => Promise<{ readonly signatures: readonly FoundSignature[]; readonly failure?: string }>;
};

function listPlaces(
  digest: string,
  store: string | undefined,
  trust: SignatureTrust,
  cluster: ClusterSession,
  options: ImageOptions,
): readonly Place[] {
  const toPlace = (name: string): Place => ({
    name,
    read: async () => {
      const { readSignatureStore } = await import("../../release-image/signature/signature-stores.ts");
      return readSignatureStore(name, digest, options);
    },
  });
  const configMaps = {
    name: `the ConfigMaps of ${TRUST.namespace}`,
    read: () => readConfigMaps(digest, cluster, options.signal),
  };
  return [
    ...(store === undefined ? [] : [toPlace(store)]),
    ...(cluster.listConfigMaps ? [configMaps] : []),
    ...trust.stores.map(toPlace),
  ];
}

async function readConfigMaps(
  digest: string,
  { listConfigMaps }: ClusterSession,
  signal: AbortSignal,
): ReturnType<Place["read"]> {
  const { parseSignatureConfigMap } = await import("../../release-image/signature/signature-stores.ts");
  let signatures: FoundSignature[] = [];
  const begin = (): ((object: JsonObject) => void) => {
    signatures = [];
    return (object) => void signatures.push(...parseSignatureConfigMap(object, digest));
  };
  const result = await listConfigMaps?.(TRUST.namespace, SIGNATURES_LABEL, begin, signal);
  return result?.kind === "failed" ? { signatures: [], failure: result.message } : { signatures };
}

async function searchSignatures(
  digest: string,
  { keyrings }: SignatureTrust,
  places: readonly Place[],
  { now }: ImageOptions,
): Promise<SignatureVerdict> {
  const { verifyRelease } = await import("../../release-image/signature/release-signature.ts");
  const found: FoundSignature[] = [];
  const searched: string[] = [];
  for (const place of places) {
    const { signatures, failure } = await place.read();
    searched.push(failure === undefined ? place.name : `${place.name} (${failure})`);
    found.push(...signatures);
    const verdict = verifyRelease(digest, keyrings, found, now);
    if (verdict.kind === "verified") return verdict;
  }
  if (found.length > 0) return verifyRelease(digest, keyrings, found, now);
  const where = searched.length === 0 ? "since the cluster names no store of signatures" : `in ${joinNames(searched)}`;
  return { kind: "unverifiable", why: `no signature of it was found ${where}` };
}

function describe(verdict: SignatureVerdict): ImageVerification {
  switch (verdict.kind) {
    case "verified":
      return { status: "Verified", message: `verified by ${joinNames(verdict.signers)}` };
    case "untrusted": {
      const count = formatCount(verdict.signatures, "signature");
      return {
        status: "Untrusted",
        message: `not signed by a key that this cluster trusts (it has ${count} by others)`,
      };
    }
    case "unverifiable":
      return { status: "Unknown", message: `could not be verified: ${verdict.why}` };
  }
}
