import { X509Certificate } from "node:crypto";
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import { type SecureContext, type SecureContextOptions, connect as connectTls, createSecureContext } from "node:tls";
import { hostOf } from "./proxy.ts";
import { getSystemAuthorities } from "./certificates.ts";
import { type Proxy, openTunnel } from "./tunnel.ts";

/** `ca`: a text as somebody gave it, or a list of certificates, each of which was parsed. */
export type TlsOptions = Pick<SecureContextOptions, "ca" | "cert" | "key" | "passphrase" | "allowPartialTrustChain"> & {
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
};

/** Keeps connections to one server alive, through a proxy if there is one. Throws if the certificates are unusable. */
export function createAgent(
  server: URL,
  proxy: Proxy | undefined,
  tls: TlsOptions,
  closeSignal: AbortSignal,
): HttpAgent {
  const secure = server.protocol === "https:" ? buildTlsSettings(tls) : undefined;
  const agent = secure ? new HttpsAgent({ keepAlive: true, ...secure }) : new HttpAgent({ keepAlive: true });
  if (!proxy) return agent;
  const open = (): Promise<Duplex> => openThroughProxy(proxy, server, secure, closeSignal);
  return Object.assign(agent, {
    createConnection: (_options: unknown, done: SocketCallback) => void openSocket(open, done),
  });
}

type SocketCallback = (error: Error | null, socket?: Duplex) => void;

async function openSocket(open: () => Promise<Duplex>, done: SocketCallback): Promise<void> {
  try {
    done(null, await open());
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)));
  }
}

async function openThroughProxy(
  proxy: Proxy,
  server: URL,
  secure: TlsSettings | undefined,
  closeSignal: AbortSignal,
): Promise<Duplex> {
  const host = hostOf(server);
  const socket = await openTunnel(proxy, host, Number(server.port) || (secure ? 443 : 80), closeSignal);
  if (!secure) return socket;
  return connectTls({ host, ...secure, servername: secure.servername ?? (isIP(host) ? undefined : host), socket });
}

type TlsSettings = Pick<TlsOptions, "servername" | "rejectUnauthorized"> & { readonly secureContext: SecureContext };

/** A context without a certificate authority trusts the system's too, as in Go's client. */
function buildTlsSettings(tls: TlsOptions): TlsSettings {
  const { servername, rejectUnauthorized, ...material } = tls;
  // Node silently ignores a malformed CA and then trusts none.
  if (material.ca !== undefined && !Array.isArray(material.ca)) new X509Certificate(material.ca);
  const ca = material.ca ?? [...getSystemAuthorities()];
  return {
    secureContext: createSecureContext({ ...material, ca }),
    servername,
    ...(rejectUnauthorized === undefined ? {} : { rejectUnauthorized }),
  };
}
