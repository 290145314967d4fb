import { isObject, type JsonObject, listAt, textAt } from "../../model/json.ts";
import { parseResource } from "../../model/resource.ts";
import type { ClusterEgress, ImageOptions } from "../../release/image/image-options.ts";
import { parseCertificates } from "../../network/certificates.ts";
import type { StoreResult } from "../../release/image/signature/signature-stores.ts";
import type { ClusterSession } from "../client/connection.ts";

/** A store of signatures in ClusterVersion's spec; `ca`: the ConfigMap with its certificate authority. */
export type CustomStore = { readonly url: string; readonly ca?: string };

const CONFIG_MAPS = parseResource("v1/configmaps");
const CONFIG_NAMESPACE = "openshift-config";

export function parseCustomStores(clusterVersion: JsonObject): readonly CustomStore[] {
  return listAt(clusterVersion, "spec", "signatureStores")
    .filter(isObject)
    .flatMap((store) => {
      const url = textAt(store, "url") ?? "";
      const ca = textAt(store, "ca", "name") || undefined;
      return url === "" ? [] : [{ url, ca }];
    });
}

/** Like the operator, leaves out a store whose certificate authority can't be read. Never rejects. */
export async function readCustomStore(
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
