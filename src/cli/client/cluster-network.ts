import { buildTopologyRead, isHosted } from "../../model/infrastructure.ts";
import { type JsonObject, textAt, objectAt } from "../../model/json.ts";
import { type Get, type GetResult, type Read, get, each, onlyOn } from "../../model/read.ts";
import type { ReadFailure, Reader } from "../../model/reader.ts";
import type { ClusterEgress, HostAuthorities } from "../../release/image/image-options.ts";
import { parseCertificates } from "../../network/certificates.ts";
import type { ApiClient } from "../../cluster/writer/api-client.ts";
import { buildResourcePath, formatGroupResource, parseResource } from "../../model/resource.ts";
import type { CycleFailure } from "../../model/report.ts";
import { MIRROR_KINDS, type Mirror, parseMirrorSet } from "../../release/image/mirrors.ts";

const proxyRead = get("config.openshift.io/v1/proxies", "cluster", keepProxy);
const bundleRead = get("v1/configmaps", "openshift-config-managed/trusted-ca-bundle", keepBundle);
/** Only of a hosted cluster: nobody merges it into the other bundle there. */
const userBundleRead = get("v1/configmaps", "openshift-config/user-ca-bundle", keepBundle);
const topologyRead = buildTopologyRead();

/** What reaching the update service and signature stores may read. */
const egressReads: readonly Read[] = [proxyRead, bundleRead, userBundleRead, topologyRead];

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

/** Where every API server publishes the authorities of the client certificates that it accepts. */
export const CLIENT_AUTHORITIES = get(
  "v1/configmaps",
  "kube-system/extension-apiserver-authentication",
  selectClientAuthorities,
);

/** In PEM. */
export function selectClientAuthorities(configMap: JsonObject): string | undefined {
  return textAt(configMap, "data", "client-ca-file");
}

/** Undefined if they can't be read. */
export async function readClientAuthorities(api: ApiClient, signal: AbortSignal): Promise<string | undefined> {
  const { resource, namespace, name } = CLIENT_AUTHORITIES;
  const response = await api.read(buildResourcePath(resource, namespace, name), signal);
  return response.kind === "ok" ? selectClientAuthorities(response.object) : undefined;
}

/** The kinds in which mirrors are. */
const mirrorReads: readonly Read[] = MIRROR_KINDS.map(({ resource }) => each(resource, () => undefined));

export type ClusterMirrors = {
  readonly mirrors: readonly Mirror[];
  /** Why some could not be read. Only worth a line if the image can't be read either. */
  readonly problems: readonly string[];
  /** The cluster can't be read at all, so that nothing can be checked. */
  readonly failure?: CycleFailure;
};

/** The mirrors of a cluster, which its nodes would pull the release from. */
export async function readClusterMirrors(reader: Reader, signal: AbortSignal): Promise<ClusterMirrors> {
  const mirrors: Mirror[] = [];
  const problems: string[] = [];
  for (const kind of MIRROR_KINDS) {
    const resource = parseResource(kind.resource);
    let found: Mirror[] = [];
    const begin = () => {
      found = [];
      return (object: Parameters<typeof parseMirrorSet>[0]) => void found.push(...parseMirrorSet(object, kind));
    };
    const result = await reader.list(resource, begin, signal);
    if (result.kind === "listed") mirrors.push(...found);
    const failure = result.kind === "failed" ? findClusterFailure(result) : undefined;
    if (failure) return { mirrors, problems, failure };
    if (result.kind === "failed" && result.reason !== "NotRecorded")
      problems.push(`the mirrors in ${formatGroupResource(resource)} could not be read: ${result.message}`);
  }
  return { mirrors, problems };
}

function findClusterFailure({ reason, message }: ReadFailure): CycleFailure | undefined {
  if (reason === "Unauthorized") return { reason, message };
  return reason === "Unreachable" || reason === "TimedOut" ? { reason: "ClusterUnreachable", message } : undefined;
}

const CONFIG_NAMESPACE = "openshift-config";
const CONFIG_MAPS = parseResource("v1/configmaps");
const imageConfigRead = get("config.openshift.io/v1/images", "cluster", (object) => object);

/**
 * What leads to release images, update services and signature stores. A runner in the cluster needs none of it: its release is a folder.
 */
export const sourceReads: readonly Read[] = [...mirrorReads, imageConfigRead, ...egressReads].map((read) =>
  onlyOn("openshift", read),
);

/**
 * The certificate authorities with which a cluster's nodes pull from its mirrors: those of single registries, and the bundle for all.
 * What can't be read is left out: the registry's certificate is then not trusted, which the error says.
 */
export async function readClusterAuthorities(reader: Reader, signal: AbortSignal): Promise<readonly HostAuthorities[]> {
  const find = async (location: Parameters<Reader["get"]>[0]): Promise<JsonObject | undefined> => {
    const result = await reader.get(location, signal);
    return result.kind === "found" ? result.object : undefined;
  };
  const findData = async (name: string | undefined): Promise<JsonObject> =>
    name ? objectAt(await find({ resource: CONFIG_MAPS, namespace: CONFIG_NAMESPACE, name }), "data") : {};
  const registries = await findData(textAt(await find(imageConfigRead), "spec", "additionalTrustedCA", "name"));
  const bundle = await findData(textAt(await find(proxyRead), "spec", "trustedCA", "name"));
  const pem = textAt(bundle, "ca-bundle.crt");
  return [
    ...Object.keys(registries).flatMap((key) => toAuthorities(parseHost(key), textAt(registries, key))),
    ...toAuthorities("", pem),
  ];
}

function toAuthorities(host: string, pem: string | undefined): readonly HostAuthorities[] {
  return pem ? [{ host, pem }] : [];
}

/** The keys of a ConfigMap have no colon: "registry.example.com..5000". */
function parseHost(key: string): string {
  return key.replace("..", ":");
}
