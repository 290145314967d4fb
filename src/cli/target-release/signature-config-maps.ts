import type { JsonObject } from "../../model/json.ts";
import { SIGNATURES_LABEL, SIGNATURES_NAMESPACE, listSignatureConfigMaps } from "../../model/release-signatures.ts";
import { parseResource } from "../../model/resource.ts";
import type { FoundSignature } from "../../release/image/signature/release-signature.ts";
import type { StoreResult } from "../../release/image/signature/signature-stores.ts";
import type { ClusterSession } from "../client/connection.ts";

const CONFIG_MAPS = parseResource("v1/configmaps");

type SignatureCluster = Pick<ClusterSession, "reader" | "listConfigMaps">;

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
  { listConfigMaps }: SignatureCluster,
  signal: AbortSignal,
): Promise<StoreResult | undefined> {
  if (listConfigMaps === undefined) return undefined;
  const { parseSignatureConfigMap } = await import("../../release/image/signature/signature-stores.ts");
  let signatures: FoundSignature[] = [];
  const begin = (): ((object: JsonObject) => void) => {
    signatures = [];
    return (object) => void signatures.push(...parseSignatureConfigMap(object, digest));
  };
  const result = await listConfigMaps(SIGNATURES_NAMESPACE, SIGNATURES_LABEL, begin, signal);
  return result.kind === "failed" ? { signatures: [], failure: result.message } : { signatures };
}

async function readNamedSignatures(
  digest: string,
  { reader }: SignatureCluster,
  signal: AbortSignal,
): Promise<StoreResult> {
  const { parseSignatureConfigMap } = await import("../../release/image/signature/signature-stores.ts");
  const results: StoreResult[] = [];
  for (const name of listSignatureConfigMaps(digest)) {
    const read = await reader.get({ resource: CONFIG_MAPS, namespace: SIGNATURES_NAMESPACE, name }, signal);
    if (read.kind === "found") results.push({ signatures: parseSignatureConfigMap(read.object, digest) });
    if (read.kind === "failed") results.push({ signatures: [], failure: read.message });
  }
  const failure = results.find((result) => result.failure !== undefined)?.failure;
  return { signatures: results.flatMap(({ signatures }) => signatures), failure };
}
