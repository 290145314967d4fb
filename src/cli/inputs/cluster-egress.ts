import { buildTopologyRead, isHosted } from "../../model/infrastructure.ts";
import { type JsonObject, textAt } from "../../model/json.ts";
import { defined } from "../../model/optional.ts";
import type { ObjectLocation, Reader } from "../../model/reader.ts";
import type { ClusterEgress } from "../../release-image/image-options.ts";
import { parseCertificates } from "../../release-image/registry/certificates.ts";
import { CONFIG_MAPS, PROXY_CONFIG } from "./cluster-authorities.ts";

type Bundle = { readonly namespace: string; readonly name: string };
const TRUSTED_BUNDLE: Bundle = { namespace: "openshift-config-managed", name: "trusted-ca-bundle" };
const USER_BUNDLE: Bundle = { namespace: "openshift-config", name: "user-ca-bundle" };

/**
 * Reads how the cluster-version operator reaches its update service and its signature stores: the proxy in the status of Proxy cluster,
 * and the bundle of the system's authorities and those of the cluster's trustedCA. For a hosted cluster, nobody merges these.
 * Source: getTransport, getProxyConfig and getTLSConfig in pkg/cvo/egress.go of openshift/cluster-version-operator.
 */
export async function readClusterEgress(reader: Reader, signal: AbortSignal): Promise<ClusterEgress> {
  const [proxy, bundles] = await Promise.all([readProxy(reader, signal), readBundles(reader, signal)]);
  return {
    ...proxy,
    authorities: bundles.flatMap(({ pem }) => (pem === undefined ? [] : [{ host: "", pem }])),
    authorityProblems: bundles.flatMap(({ problem }) => problem ?? []),
  };
}

async function readProxy(reader: Reader, signal: AbortSignal): Promise<Pick<ClusterEgress, "proxy" | "proxyProblems">> {
  const read = await readObject(PROXY_CONFIG, reader, signal);
  if (typeof read === "string")
    return { proxy: {}, proxyProblems: [`Proxy cluster could not be read (${read}), so its proxy is not used`] };
  const get = (field: string): string | undefined => textAt(read, "status", field);
  const [httpsProxy, httpProxy, noProxy] = [get("httpsProxy"), get("httpProxy"), get("noProxy")];
  return { proxy: defined({ httpsProxy, httpProxy, noProxy }), proxyProblems: [] };
}

type BundleResult = { readonly pem?: string; readonly problem?: string };

async function readBundles(reader: Reader, signal: AbortSignal): Promise<readonly BundleResult[]> {
  const { keep, ...topology } = buildTopologyRead();
  const infrastructure = await readObject(topology, reader, signal);
  const isHostedCluster =
    typeof infrastructure === "object" && isHosted({ kind: "found", value: keep(infrastructure) });
  const bundles = isHostedCluster ? [TRUSTED_BUNDLE, USER_BUNDLE] : [TRUSTED_BUNDLE];
  return Promise.all(bundles.map((bundle) => readBundle(bundle, reader, signal)));
}

async function readBundle(bundle: Bundle, reader: Reader, signal: AbortSignal): Promise<BundleResult> {
  const where = `ConfigMap ${bundle.namespace}/${bundle.name}`;
  const read = await readObject({ resource: CONFIG_MAPS, ...bundle }, reader, signal);
  if (typeof read === "string")
    return { problem: `${where} could not be read (${read}), so its certificate authorities are not trusted` };
  const pem = textAt(read, "data", "ca-bundle.crt") ?? "";
  if (pem === "") return {};
  if (parseCertificates(pem).length > 0) return { pem };
  return { problem: `${where} has no certificate that can be read in ca-bundle.crt, so nothing of it is trusted` };
}

/** An object, undefined if it does not exist, or why it could not be read. */
async function readObject(
  location: ObjectLocation,
  reader: Reader,
  signal: AbortSignal,
): Promise<JsonObject | string | undefined> {
  const read = await reader.get(location, signal);
  if (read.kind === "found") return read.object;
  return read.kind === "failed" ? read.message : undefined;
}
