import { BlockList, isIP } from "node:net";

type Env = Readonly<Record<string, string | undefined>>;

/** Applies HTTPS_PROXY, HTTP_PROXY and NO_PROXY by the rules of Go's net/http, as kubectl does. Loopback addresses are never proxied. */
export function findProxyInEnv(server: URL, env: Env): string | undefined {
  const name = server.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const proxy = env[name] || env[name.toLowerCase()];
  if (!proxy || isExempt(server, env["NO_PROXY"] || env["no_proxy"] || "")) return undefined;
  return proxy.includes("://") ? proxy : `http://${proxy}`;
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
