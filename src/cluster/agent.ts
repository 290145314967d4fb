import { X509Certificate } from "node:crypto";
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import { type SecureContext, connect as connectTls, createSecureContext, getCACertificates } from "node:tls";
import type { TlsOptions } from "./credentials.ts";
import { bareHost } from "./proxy.ts";
import { openTunnel } from "./tunnel.ts";

/** Keeps connections to one server alive, by way of a proxy if there is one. Throws where certificates can't be used. */
export function makeAgent(server: URL, proxy: URL | undefined, tls: TlsOptions, closed: AbortSignal): HttpAgent {
  const secure = server.protocol === "https:" ? secureSettings(tls) : undefined;
  const agent = secure ? new HttpsAgent({ keepAlive: true, ...secure }) : new HttpAgent({ keepAlive: true });
  if (!proxy) return agent;
  const open = (): Promise<Duplex> => openThrough(proxy, server, secure, closed);
  return Object.assign(agent, { createConnection: (_options: unknown, done: Done) => void connect(open, done) });
}

type Done = (error: Error | null, socket?: Duplex) => void;

async function connect(open: () => Promise<Duplex>, done: Done): Promise<void> {
  try {
    done(null, await open());
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)));
  }
}

async function openThrough(proxy: URL, server: URL, secure: Secure | undefined, closed: AbortSignal): Promise<Duplex> {
  const host = bareHost(server);
  const socket = await openTunnel(proxy, host, Number(server.port) || (secure ? 443 : 80), closed);
  if (!secure) return socket;
  return connectTls({ host, ...(isIP(host) ? {} : { servername: host }), ...secure, socket });
}

type Secure = Pick<TlsOptions, "servername" | "rejectUnauthorized"> & { readonly secureContext: SecureContext };

/** Without a certificate authority of its own, the system's are trusted too, as Go's client does. */
function secureSettings(tls: TlsOptions): Secure {
  const { servername, rejectUnauthorized, ...material } = tls;
  // Node passes over a certificate authority that is none, and would then trust nobody.
  for (const one of [material.ca ?? []].flat()) new X509Certificate(one);
  const ca = material.ca ?? [...getCACertificates("default"), ...getCACertificates("system")];
  return {
    secureContext: createSecureContext({ ...material, ca }),
    ...(servername === undefined ? {} : { servername }),
    ...(rejectUnauthorized === undefined ? {} : { rejectUnauthorized }),
  };
}
