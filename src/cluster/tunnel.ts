import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIPv6, type Socket } from "node:net";
import { SocksClient } from "socks";
import { bareHost } from "./proxy.ts";

/** How long a proxy may take to open the way. */
const TUNNEL_MS = 30_000;
const DEFAULT_SOCKS_PORT = 1080;

/** A connection by way of a proxy. Rejects with an error whose message begins with "proxy". */
export async function openTunnel(proxy: URL, host: string, port: number, closed: AbortSignal): Promise<Socket> {
  try {
    return proxy.protocol.startsWith("socks")
      ? await throughSocks(proxy, host, port)
      : await throughHttp(proxy, host, port, closed);
  } catch (error) {
    const why = error instanceof Error ? error.message || error.name : String(error);
    throw new Error(`proxy ${proxyText(proxy)} failed: ${why}`, { cause: error });
  }
}

export function proxyText(proxy: URL): string {
  return `${proxy.protocol}//${proxy.host}`;
}

/** The proxy looks the name up, as with Go's client. */
async function throughSocks(proxy: URL, host: string, port: number): Promise<Socket> {
  const login = proxy.username
    ? { userId: decodeURIComponent(proxy.username), password: decodeURIComponent(proxy.password) }
    : {};
  const { socket } = await SocksClient.createConnection({
    proxy: { host: bareHost(proxy), port: Number(proxy.port) || DEFAULT_SOCKS_PORT, type: 5, ...login },
    command: "connect",
    destination: { host, port },
    timeout: TUNNEL_MS,
  });
  return socket;
}

/** Asks the proxy, not the API server: CONNECT is all that is ever sent to it. */
function throughHttp(proxy: URL, host: string, port: number, closed: AbortSignal): Promise<Socket> {
  const authority = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
  const secure = proxy.protocol === "https:";
  const login = Buffer.from(`${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`);
  const connect = (secure ? requestHttps : requestHttp)({
    method: "CONNECT",
    host: bareHost(proxy),
    port: proxy.port || (secure ? 443 : 80),
    path: authority,
    headers: {
      host: authority,
      ...(proxy.username ? { "proxy-authorization": `Basic ${login.toString("base64")}` } : {}),
    },
    agent: false,
    timeout: TUNNEL_MS,
    signal: closed,
  });
  return new Promise((resolve, reject) => {
    connect.once("connect", (answer, socket) => {
      if (answer.statusCode === 200) return resolve(socket.setTimeout(0));
      socket.destroy();
      reject(new Error(`it answered ${answer.statusCode} ${answer.statusMessage ?? ""}`.trim()));
    });
    connect.once("timeout", () => connect.destroy(new Error("it gave no answer")));
    connect.once("error", reject);
    connect.end();
  });
}
