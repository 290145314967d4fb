import type { ImageVerification } from "../../model/release.ts";
import { RELEASE_TRUST, SIGNATURES_NAMESPACE, SIGNATURES_LABEL, listSignatureConfigMaps } from "../../model/release.ts";
import type { ReadFailureReason } from "../../model/reader.ts";
import { parseResource } from "../../model/resource.ts";
import type { ImageOptions, ClusterEgress } from "../../release/image/image-options.ts";
import type { FoundSignature, SignatureVerdict } from "../../release/image/signature/release-signature.ts";
import {
  type SignatureTrust,
  parseSignatureConfigMap,
  parseSignatureTrust,
} from "../../release/image/signature/signature-config-maps.ts";
import type { StoreResult } from "../../release/image/signature/signature-stores.ts";
import type { ClusterSession } from "../client/connection.ts";
import { formatCount, joinNames } from "../../model/text.ts";
import { type JsonObject, textAt, objectsAt } from "../../model/json.ts";
import { parseCertificates } from "../../network/certificates.ts";

const { namespace, name } = RELEASE_TRUST;
const TRUST = { resource: parseResource("v1/configmaps"), namespace, name };

type SignatureSession = ClusterSession<{ readonly "signature-store": string | undefined }>;

/**
 * Whether the cluster would accept the signature of an image, by the keys that its own release trusts. `stores` replace those of the
 * release, as ClusterVersion's do; `none`: only what is at hand is searched.
 */
export async function verifyImage(
  digest: string | undefined,
  session: SignatureSession,
  options: ImageOptions,
  stores: readonly CustomStore[] | "none" = [],
): Promise<ImageVerification> {
  if (digest === undefined)
    return describe({ kind: "unverifiable", why: "an archive of docker does not keep the digest that is signed" });
  const trust = await readTrust(session, options.signal);
  if (trust.kind === "unknown") return { ...describe({ kind: "unverifiable", why: trust.why }), reason: trust.reason };
  return describe(await searchSignatures(digest, trust, listPlaces(digest, trust, session, options, stores), options));
}

type TrustResult =
  | ({ readonly kind: "trust" } & SignatureTrust)
  | { readonly kind: "unknown"; readonly why: string; readonly reason?: ReadFailureReason };

/** A release without keys makes the operator refuse every other; here, somebody may also have removed its ConfigMap. */
async function readTrust({ reader }: ClusterSession, signal: AbortSignal): Promise<TrustResult> {
  const where = `ConfigMap ${namespace}/${name}`;
  const read = await reader.get(TRUST, signal);
  if (read.kind === "failed") {
    const why = `${where}, which has the keys that the cluster trusts, can't be read: ${read.message}`;
    return { kind: "unknown", why, reason: read.reason };
  }
  if (read.kind === "absent")
    return { kind: "unknown", why: `the cluster has no ${where}, which names the keys that it trusts` };
  const trust = parseSignatureTrust(read.object);
  if (trust.keyrings.length === 0) return { kind: "unknown", why: `${where} names no key that the cluster trusts` };
  return { kind: "trust", ...trust };
}

/** A place that may have signatures, read only if those before it did not suffice. */
type Place = {
  readonly name: string;
  readonly read: () => Promise<StoreResult>;
};

function listPlaces(
  digest: string,
  trust: SignatureTrust,
  session: SignatureSession,
  options: ImageOptions,
  customStores: readonly CustomStore[] | "none",
): readonly Place[] {
  const store = session.values["signature-store"];
  const toPlace = (name: string): Place => ({
    name,
    read: async () => {
      const { readSignatureStore } = await import("../../release/image/signature/signature-stores.ts");
      return readSignatureStore(name, digest, options, session.readEgress);
    },
  });
  const custom = customStores === "none" ? [] : customStores;
  const stores =
    customStores.length === 0
      ? trust.stores.map(toPlace)
      : custom.map((one) => ({
          name: one.url,
          read: () => readCustomStore(one, digest, session, options),
        }));
  const configMaps = {
    name: `the ConfigMaps of ${SIGNATURES_NAMESPACE}`,
    read: () => readSignatureConfigMaps(digest, session, options.signal),
  };
  return [...(store === undefined ? [] : [toPlace(store)]), configMaps, ...stores];
}

async function searchSignatures(
  digest: string,
  { keyrings }: SignatureTrust,
  places: readonly Place[],
  { now }: ImageOptions,
): Promise<SignatureVerdict> {
  const { verifyRelease } = await import("../../release/image/signature/release-signature.ts");
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
  return { kind: "unverifiable", why: `no signature of it was found in ${joinNames(searched)}` };
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

/** A store of signatures in ClusterVersion's spec; `ca`: the ConfigMap with its certificate authority. */
type CustomStore = { readonly url: string; readonly ca?: string };

const CONFIG_MAPS = parseResource("v1/configmaps");
const CONFIG_NAMESPACE = "openshift-config";

export function parseCustomStores(clusterVersion: JsonObject): readonly CustomStore[] {
  return objectsAt(clusterVersion, "spec", "signatureStores").flatMap((store) => {
    const url = textAt(store, "url") ?? "";
    const ca = textAt(store, "ca", "name") || undefined;
    return url === "" ? [] : [{ url, ca }];
  });
}

/** Like the operator, leaves out a store whose certificate authority can't be read. Never rejects. */
async function readCustomStore(
  { url, ca }: CustomStore,
  digest: string,
  session: Pick<ClusterSession, "reader" | "readEgress">,
  options: ImageOptions,
): Promise<StoreResult> {
  const { readSignatureStore } = await import("../../release/image/signature/signature-stores.ts");
  if (ca === undefined) return readSignatureStore(url, digest, options, session.readEgress);
  const authority = await readAuthority(ca, session, options.signal);
  if (authority.kind === "failed") return { signatures: [], failure: authority.why };
  const readEgress = async (): Promise<ClusterEgress> => ({
    ...((await session.readEgress?.()) ?? { proxy: {}, proxyProblems: [] }),
    authorities: [{ host: "", pem: authority.pem }],
    authorityProblems: [],
  });
  return readSignatureStore(url, digest, options, readEgress);
}

type Authority = { readonly kind: "read"; readonly pem: string } | { readonly kind: "failed"; readonly why: string };

async function readAuthority(
  name: string,
  { reader }: Pick<ClusterSession, "reader">,
  signal: AbortSignal,
): Promise<Authority> {
  const where = `ConfigMap ${CONFIG_NAMESPACE}/${name}`;
  const read = await reader.get({ resource: CONFIG_MAPS, namespace: CONFIG_NAMESPACE, name }, signal);
  if (read.kind === "failed") return { kind: "failed", why: `${where} can't be read: ${read.message}` };
  const pem = read.kind === "found" ? (textAt(read.object, "data", "ca.crt") ?? "") : "";
  if (parseCertificates(pem).length > 0) return { kind: "read", pem };
  return { kind: "failed", why: `${where} has no certificate in ca.crt` };
}

type SignatureCluster = Pick<ClusterSession, "reader" | "listSignatures">;

/**
 * The signatures of an image in a cluster's ConfigMaps. All that have the label count; where they can't be listed, as in a recording or
 * without the right, those by the names of the usual tools are read.
 */
export async function readSignatureConfigMaps(
  digest: string,
  cluster: SignatureCluster,
  signal: AbortSignal,
): Promise<StoreResult> {
  const listed = await listSignatures(digest, cluster, signal);
  if (listed?.failure === undefined && listed !== undefined) return listed;
  const named = await readNamedSignatures(digest, cluster, signal);
  return { signatures: named.signatures, failure: listed?.failure ?? named.failure };
}

async function listSignatures(
  digest: string,
  { listSignatures: list }: SignatureCluster,
  signal: AbortSignal,
): Promise<StoreResult | undefined> {
  if (list === undefined) return undefined;
  let signatures: FoundSignature[] = [];
  const begin = (): ((object: JsonObject) => void) => {
    signatures = [];
    return (object) => void signatures.push(...parseSignatureConfigMap(object, digest));
  };
  const selection = { namespace: SIGNATURES_NAMESPACE, labelSelector: SIGNATURES_LABEL };
  const result = await list(CONFIG_MAPS, selection, begin, signal);
  return result.kind === "failed" ? { signatures: [], failure: result.message } : { signatures };
}

async function readNamedSignatures(
  digest: string,
  { reader }: SignatureCluster,
  signal: AbortSignal,
): Promise<StoreResult> {
  const results: StoreResult[] = [];
  for (const name of listSignatureConfigMaps(digest)) {
    const read = await reader.get({ resource: CONFIG_MAPS, namespace: SIGNATURES_NAMESPACE, name }, signal);
    if (read.kind === "found") results.push({ signatures: parseSignatureConfigMap(read.object, digest) });
    if (read.kind === "failed") results.push({ signatures: [], failure: read.message });
  }
  const failure = results.find((result) => result.failure !== undefined)?.failure;
  return { signatures: results.flatMap(({ signatures }) => signatures), failure };
}
