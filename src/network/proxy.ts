import { BlockList, isIP } from "node:net";

type Env = Readonly<Record<string, string | undefined>>;

/** Proxies by the scheme of the server, and the servers that are reached without. */
export type ProxySettings = { readonly httpsProxy?: string; readonly httpProxy?: string; readonly noProxy?: string };

/** Applies HTTPS_PROXY, HTTP_PROXY and NO_PROXY as kubectl does. */
export function findProxyInEnv(server: URL, env: Env): string | undefined {
  return findProxy(server, readEnv(env));
}

function readEnv(env: Env): Required<ProxySettings> {
  const get = (name: string): string => env[name] || env[name.toLowerCase()] || "";
  return { httpsProxy: get("HTTPS_PROXY"), httpProxy: get("HTTP_PROXY"), noProxy: get("NO_PROXY") };
}

/** The rules of Go's httpproxy package. Loopback addresses are never proxied. */
function findProxy(server: URL, { httpsProxy, httpProxy, noProxy = "" }: ProxySettings): string | undefined {
  const proxy = server.protocol === "https:" ? httpsProxy : httpProxy;
  if (!proxy || isExempt(server, noProxy)) return undefined;
  return proxy.includes("://") ? proxy : `http://${proxy}`;
}

/** "exempt": no proxy would be used, whichever is set. */
export type ProxyChoice =
  | { readonly kind: "proxy"; readonly address: string; readonly origin: "environment" | "cluster" }
  | { readonly kind: "exempt" | "none" };

/** The environment decides where it names a proxy for the server or exempts it; elsewhere the cluster does. */
export function chooseProxy(server: URL, env: Env, cluster: ProxySettings = {}): ProxyChoice {
  if (isExempt(server, readEnv(env).noProxy)) return { kind: "exempt" };
  const own = findProxyInEnv(server, env);
  if (own !== undefined) return { kind: "proxy", address: own, origin: "environment" };
  const other = findProxy(server, cluster);
  if (other !== undefined) return { kind: "proxy", address: other, origin: "cluster" };
  return { kind: isExempt(server, cluster.noProxy ?? "") ? "exempt" : "none" };
}

const PROXY_PROTOCOLS = new Set(["http:", "https:", "socks5:", "socks5h:"]);
export const PROXY_FORM = "an http, https or socks5 URL";

/** Undefined if it is not what PROXY_FORM says. */
export function parseProxy(address: string): URL | undefined {
  const proxy = URL.canParse(address) ? new URL(address) : undefined;
  return proxy && PROXY_PROTOCOLS.has(proxy.protocol) ? proxy : undefined;
}

function isExempt(server: URL, list: string): boolean {
  const host = hostOf(server);
  if (host === "localhost" || isLoopback(host)) return true;
  const port = server.port || (server.protocol === "https:" ? "443" : "80");
  return list.split(",").some((entry) => matchesNoProxyEntry(entry.trim().toLowerCase(), host, port));
}

/** A URL's host without the brackets of an IPv6 address. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "").toLowerCase();
}

function isLoopback(host: string): boolean {
  return host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

function matchesNoProxyEntry(entry: string, host: string, port: string): boolean {
  if (entry === "") return false;
  if (entry === "*") return true;
  if (entry.includes("/")) return isInSubnet(entry, host);
  const [name, onlyPort] = splitPort(entry);
  if (onlyPort !== undefined && onlyPort !== port) return false;
  if (isIP(host)) return name === host;
  const suffix = name.replace(/^\*?\./, "");
  return host.endsWith(`.${suffix}`) || (suffix === name && host === suffix);
}

function splitPort(entry: string): readonly [string, string | undefined] {
  if (isIP(entry)) return [entry, undefined];
  const match = /^\[?([^\]]+?)\]?:(\d+)$/.exec(entry);
  return match?.[1] === undefined ? [entry.replace(/^\[|\]$/g, ""), undefined] : [match[1], match[2]];
}

function isInSubnet(entry: string, host: string): boolean {
  const [address, bits] = entry.split("/");
  const family = isIP(address ?? "");
  if (family === 0 || isIP(host) !== family || !/^\d{1,3}$/.test(bits ?? "")) return false;
  const kind = family === 4 ? "ipv4" : "ipv6";
  if (Number(bits) > (family === 4 ? 32 : 128)) return false;
  const subnet = new BlockList();
  subnet.addSubnet(address ?? "", Number(bits), kind);
  return subnet.check(host, kind);
}
