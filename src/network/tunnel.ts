import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, isIPv6, type Socket } from "node:net";
import type { SecureContextOptions } from "node:tls";
import { SocksClient } from "socks";
import { hostOf } from "./proxy.ts";
import { getSystemAuthorities } from "./certificates.ts";

const TUNNEL_TIMEOUT_MS = 30_000;
const DEFAULT_SOCKS_PORT = 1080;

/** `ca`: whom to trust if it serves TLS, instead of the system's authorities. */
export type Proxy = { readonly url: URL; readonly ca?: SecureContextOptions["ca"] };

/** Opens a connection through a proxy. Rejects with an error whose message begins with "proxy". */
export async function openTunnel(proxy: Proxy, host: string, port: number, closeSignal: AbortSignal): Promise<Socket> {
  try {
    return proxy.url.protocol.startsWith("socks")
      ? await openSocksTunnel(proxy.url, host, port)
      : await openHttpTunnel(proxy, host, port, closeSignal);
  } catch (error) {
    const why = error instanceof Error ? error.message || error.name : String(error);
    throw new Error(`proxy ${formatProxy(proxy.url)} failed: ${why}`, { cause: error });
  }
}

export function formatProxy(proxy: URL): string {
  return `${proxy.protocol}//${proxy.host}`;
}

/** The proxy resolves the name, as with Go's client. */
async function openSocksTunnel(proxy: URL, host: string, port: number): Promise<Socket> {
  const login = proxy.username
    ? { userId: decodeURIComponent(proxy.username), password: decodeURIComponent(proxy.password) }
    : {};
  const { socket } = await SocksClient.createConnection({
    proxy: { host: hostOf(proxy), port: Number(proxy.port) || DEFAULT_SOCKS_PORT, type: 5, ...login },
    command: "connect",
    destination: { host, port },
    timeout: TUNNEL_TIMEOUT_MS,
  });
  return socket;
}

/** CONNECT goes to the proxy, never to the API server, and is all that is sent to it. */
function openHttpTunnel(
  { url: proxy, ca = [...getSystemAuthorities()] }: Proxy,
  host: string,
  port: number,
  closeSignal: AbortSignal,
): Promise<Socket> {
  const authority = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
  const isTls = proxy.protocol === "https:";
  const login = Buffer.from(`${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`);
  const connectRequest = (isTls ? requestHttps : requestHttp)({
    method: "CONNECT",
    host: hostOf(proxy),
    port: proxy.port || (isTls ? 443 : 80),
    path: authority,
    headers: {
      host: authority,
      ...(proxy.username ? { "proxy-authorization": `Basic ${login.toString("base64")}` } : {}),
    },
    agent: false,
    // Without it, Node would look for the Host header's name in the proxy's certificate.
    ...(isTls ? { ca, servername: isIP(hostOf(proxy)) ? "" : hostOf(proxy) } : {}),
    signal: closeSignal,
  });
  return new Promise((resolve, reject) => {
    // Not a timeout of the socket, which each byte of a slow answer would renew.
    const timer = setTimeout(() => connectRequest.destroy(new Error("it did not respond in time")), TUNNEL_TIMEOUT_MS);
    connectRequest.once("close", () => clearTimeout(timer));
    connectRequest.once("connect", (response, socket) => {
      clearTimeout(timer);
      if (response.statusCode === 200) return resolve(socket.setTimeout(0));
      socket.destroy();
      reject(new Error(`it responded with ${response.statusCode} ${response.statusMessage ?? ""}`.trim()));
    });
    connectRequest.once("error", reject);
    connectRequest.end();
  });
}
