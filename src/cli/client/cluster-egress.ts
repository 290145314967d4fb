import { buildTopologyRead, isHosted } from "../../model/infrastructure.ts";
import { type JsonObject, textAt } from "../../model/json.ts";
import { type Get, type GetResult, type Read, get } from "../../model/read.ts";
import type { ReadFailure, Reader } from "../../model/reader.ts";
import type { ClusterEgress } from "../../release/image/image-options.ts";
import { parseCertificates } from "../../network/certificates.ts";

export const proxyRead = get("config.openshift.io/v1/proxies", "cluster", keepProxy);
const bundleRead = get("v1/configmaps", "openshift-config-managed/trusted-ca-bundle", keepBundle);
/** Only of a hosted cluster: nobody merges it into the other bundle there. */
const userBundleRead = get("v1/configmaps", "openshift-config/user-ca-bundle", keepBundle);
const topologyRead = buildTopologyRead();

/** What reaching the update service and signature stores may read. */
export const egressReads: readonly Read[] = [proxyRead, bundleRead, userBundleRead, topologyRead];

function keepProxy(proxy: JsonObject): ClusterEgress["proxy"] {
  const keep = (field: string): string | undefined => textAt(proxy, "status", field);
  return { httpsProxy: keep("httpsProxy"), httpProxy: keep("httpProxy"), noProxy: keep("noProxy") };
}

function keepBundle(configMap: JsonObject): string {
  return textAt(configMap, "data", "ca-bundle.crt") ?? "";
}

/**
 * Reads how the cluster-version operator reaches its update service and its signature stores: through the proxy in the status of Proxy
 * cluster, and by a bundle of the system's authorities and those of the cluster's trustedCA.
 * Source: getTransport, getProxyConfig and getTLSConfig in pkg/cvo/egress.go of openshift/cluster-version-operator.
 */
export async function readClusterEgress(reader: Reader, signal: AbortSignal): Promise<ClusterEgress> {
  const [proxy, bundle, topology] = await Promise.all([
    readValue(proxyRead, reader, signal),
    readBundle(bundleRead, reader, signal),
    readValue(topologyRead, reader, signal),
  ]);
  const isHostedCluster = topology.kind !== "failed" && isHosted(topology);
  const bundles = isHostedCluster ? [bundle, await readBundle(userBundleRead, reader, signal)] : [bundle];
  return {
    proxy: proxy.kind === "found" ? proxy.value : {},
    proxyProblems:
      proxy.kind === "failed" ? [`Proxy cluster could not be read (${proxy.message}), so its proxy is not used`] : [],
    authorities: bundles.flatMap(({ pem }) => (pem === undefined ? [] : [{ host: "", pem }])),
    authorityProblems: bundles.flatMap(({ problem }) => problem ?? []),
  };
}

type Bundle = { readonly pem?: string; readonly problem?: string };

async function readBundle(read: Get<string>, reader: Reader, signal: AbortSignal): Promise<Bundle> {
  const where = `ConfigMap ${read.namespace}/${read.name}`;
  const result = await readValue(read, reader, signal);
  if (result.kind === "failed")
    return {
      problem: `${where} could not be read (${result.message}), so its certificate authorities are not trusted`,
    };
  if (result.kind === "absent" || result.value === "") return {};
  if (parseCertificates(result.value).length > 0) return { pem: result.value };
  return { problem: `${where} has nothing in ca-bundle.crt that can be read as a certificate, so it is not trusted` };
}

async function readValue<T>(read: Get<T>, reader: Reader, signal: AbortSignal): Promise<GetResult<T> | ReadFailure> {
  const result = await reader.get(read, signal);
  return result.kind === "found" ? { kind: "found", value: read.keep(result.object) } : result;
}
