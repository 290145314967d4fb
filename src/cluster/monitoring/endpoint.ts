import { isIP } from "node:net";
import { type JsonObject, listAt, numberAt, textAt } from "../../model/json.ts";
import { get, type Get, onlyOn } from "../../model/read.ts";
import type { ReadFailure, Reader } from "../../model/reader.ts";
import type { TlsOptions } from "../../network/agent.ts";
import { getSystemAuthorities, parseCertificates } from "../../network/certificates.ts";
import { findProxyInEnv, parseProxy, PROXY_FORM } from "../../network/proxy.ts";
import { buildFailure } from "../access/failures.ts";

/** How the cluster's monitoring is reached: from outside the cluster, or in a pod. */
export type MonitoringAccess = "route" | "service";

/** Where the monitoring takes queries. */
export type Endpoint = {
  readonly kind: "endpoint";
  readonly access: MonitoringAccess;
  /** An https address without a path. */
  readonly url: URL;
  /** The name that its certificate is for, for messages. */
  readonly server: string;
  readonly tls: TlsOptions;
  readonly proxy?: URL;
  /** What to say behind a certificate that is not trusted. */
  readonly trustHint: string;
};

const NAMESPACE = "openshift-monitoring";
const NAME = "thanos-querier";
const PORT_NAME = "web";

/** An object that leads to the monitoring. */
type Source<T> = { readonly kind: string; readonly read: Get<T> };

const ROUTE: Source<string> = {
  kind: "Route",
  read: get("route.openshift.io/v1/routes", `${NAMESPACE}/${NAME}`, (object) => textAt(object, "spec", "host") ?? ""),
};
const SERVICE: Source<ServiceAddress | undefined> = {
  kind: "Service",
  read: get("v1/services", `${NAMESPACE}/${NAME}`, parseService),
};
const INGRESS_CERTIFICATE = buildBundle("openshift-config-managed/default-ingress-cert", "ca-bundle.crt");
const SERVICE_AUTHORITY = buildBundle(`${NAMESPACE}/openshift-service-ca.crt`, "service-ca.crt");

function buildBundle(where: string, key: string): Source<readonly string[]> {
  const keep = (object: JsonObject): readonly string[] => parseCertificates(textAt(object, "data", key) ?? "");
  return { kind: "ConfigMap", read: get("v1/configmaps", where, keep) };
}

/** What is read from the API server to find the endpoint. */
export function listEndpointReads(access: MonitoringAccess): readonly Get[] {
  const sources = access === "route" ? [ROUTE, INGRESS_CERTIFICATE] : [SERVICE, SERVICE_AUTHORITY];
  return sources.map(({ read }) => onlyOn("openshift", read));
}

export type EndpointOptions = {
  readonly access: MonitoringAccess;
  readonly reader: Pick<Reader, "get">;
  readonly env: Readonly<Record<string, string | undefined>>;
};

export function findEndpoint(options: EndpointOptions, signal: AbortSignal): Promise<Endpoint | ReadFailure> {
  return options.access === "route" ? findRoute(options, signal) : findService(options, signal);
}

const HOST = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i;

/** What looks like an address is none: "0x7f.1" would lead to this machine, and "1.2.3.256" nowhere. */
function parseHost(host: string): URL | undefined {
  const text = `https://${host}`;
  const url = HOST.test(host) && URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && isIP(url.hostname) === 0 ? url : undefined;
}

async function findRoute(options: EndpointOptions, signal: AbortSignal): Promise<Endpoint | ReadFailure> {
  const found = await readSource(ROUTE, options, signal);
  if (found.kind === "failed") return found;
  const url = parseHost(found.value);
  if (url === undefined) return buildFailure("NotUnderstood", `${formatWhere(ROUTE)} names no host`);
  const proxyText = findProxyInEnv(url, options.env);
  const proxy = proxyText === undefined ? undefined : parseProxy(proxyText);
  if (proxyText !== undefined && proxy === undefined)
    return buildFailure("Unreachable", `the proxy of the environment is not ${PROXY_FORM}`);
  const bundle = await readSource(INGRESS_CERTIFICATE, options, signal);
  const [certificates, problem] = bundle.kind === "found" ? [bundle.value, ""] : [[], `; ${bundle.message}`];
  return {
    kind: "endpoint",
    access: "route",
    url,
    server: url.hostname,
    // The cluster publishes the certificate itself, and perhaps not the authority behind it.
    tls: { ca: [...getSystemAuthorities(), ...certificates], allowPartialTrustChain: true },
    proxy,
    trustHint: `: name its certificate authority in NODE_EXTRA_CA_CERTS${problem}`,
  };
}

/** By its address: a pod on the node's network has a resolver that knows no Services. */
async function findService(options: EndpointOptions, signal: AbortSignal): Promise<Endpoint | ReadFailure> {
  const found = await readSource(SERVICE, options, signal);
  if (found.kind === "failed") return found;
  if (found.value === undefined)
    return buildFailure("NotUnderstood", `${formatWhere(SERVICE)} has no address or no port ${PORT_NAME}`);
  const authority = await readSource(SERVICE_AUTHORITY, options, signal);
  if (authority.kind === "failed") return authority;
  if (authority.value.length === 0)
    return buildFailure("NotUnderstood", `${formatWhere(SERVICE_AUTHORITY)} has no certificate`);
  const { ip, port } = found.value;
  const server = `${NAME}.${NAMESPACE}.svc`;
  return {
    kind: "endpoint",
    access: "service",
    url: new URL(`https://${isIP(ip) === 6 ? `[${ip}]` : ip}:${port}`),
    server,
    // No other authority: the name is one that only the cluster's own may vouch for.
    tls: { ca: [...authority.value], servername: server },
    trustHint: ` by ${formatWhere(SERVICE_AUTHORITY)}`,
  };
}

type ServiceAddress = { readonly ip: string; readonly port: number };

function parseService(object: JsonObject): ServiceAddress | undefined {
  const ip = textAt(object, "spec", "clusterIP") ?? "";
  const web = listAt(object, "spec", "ports").find((one) => textAt(one, "name") === PORT_NAME);
  const port = numberAt(web, "port") ?? 0;
  const isPort = Number.isInteger(port) && port > 0 && port < 1 << 16;
  return isIP(ip) > 0 && isPort ? { ip, port } : undefined;
}

async function readSource<T>(
  source: Source<T>,
  { reader, access }: EndpointOptions,
  signal: AbortSignal,
): Promise<{ readonly kind: "found"; readonly value: T } | ReadFailure> {
  const result = await reader.get(source.read, signal);
  if (result.kind === "found") return { kind: "found", value: source.read.keep(result.object) };
  if (result.kind === "absent") return buildFailure("Unreachable", `the cluster has no ${formatWhere(source)}`);
  if (result.reason === "Forbidden")
    return buildFailure("Forbidden", `no right to read ${formatWhere(source)}: ${formatRightsHint(access)} it`);
  return buildFailure(result.reason, `${formatWhere(source)} could not be read: ${result.message}`);
}

export function formatRightsHint(access: MonitoringAccess): string {
  return `"preflight rbac --promql ${access}" prints`;
}

function formatWhere({ kind, read: { namespace = "", name } }: Pick<Source<unknown>, "kind" | "read">): string {
  return `${kind} ${namespace}/${name}`;
}
