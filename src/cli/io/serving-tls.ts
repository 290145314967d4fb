import { readFile } from "node:fs/promises";
import type { IncomingMessage, RequestListener } from "node:http";
import { createServer, type Server } from "node:https";
import { join } from "node:path";
import { TLSSocket } from "node:tls";
import { FailedError, formatError } from "../../model/errors.ts";

/** How an address is served over TLS, and whose client certificates count there. */
export type ServingTls = {
  /** Holds tls.crt and tls.key, as a mounted Secret does. */
  readonly folder: string;
  /** The cluster's authorities of client certificates, in PEM; undefined if they can't be read now. */
  readonly readClientAuthorities: () => Promise<string | undefined>;
  readonly warn: (message: string) => void;
};

/** Certificates are replaced long before they expire. */
const RELOAD_MS = 5 * 60_000;
const RETRY_MS = 10_000;

/** The platform's Prometheus presents a certificate of this name to what it scrapes. */
const METRICS_READER = "system:serviceaccount:openshift-monitoring:prometheus-k8s";

/**
 * A server that asks for a client certificate, and accepts a request without one: the kubelet's probes have none. It follows the files and
 * the authorities. As long as these are unknown, no certificate counts.
 */
export async function createTlsServer(tls: ServingTls, onRequest: RequestListener): Promise<Server> {
  let authorities: string | undefined;
  const load = async () => ({ ...(await readPair(tls.folder)), ca: authorities ?? [] });
  const server = createServer({ ...(await load()), requestCert: true, rejectUnauthorized: false }, onRequest);
  let timer: NodeJS.Timeout | undefined;
  const reload = async (): Promise<void> => {
    try {
      authorities = (await tls.readClientAuthorities()) ?? authorities;
      server.setSecureContext(await load());
    } catch (thrown) {
      tls.warn(formatError(thrown));
    }
    if (server.listening)
      timer = setTimeout(() => void reload(), authorities === undefined ? RETRY_MS : RELOAD_MS).unref();
  };
  server.once("listening", () => void reload());
  server.once("close", () => clearTimeout(timer));
  return server;
}

async function readPair(folder: string): Promise<{ readonly cert: string; readonly key: string }> {
  try {
    // One after the other, so that the same folder always gives the same error.
    const cert = await readPem(folder, "tls.crt");
    return { cert, key: await readPem(folder, "tls.key") };
  } catch (thrown) {
    throw new FailedError(`cannot read the serving certificate: ${formatError(thrown)}`);
  }
}

function readPem(folder: string, name: string): Promise<string> {
  return readFile(join(folder, name), "utf8");
}

/** Why a request may not read the metrics; undefined if it may. */
export function findDenial({
  socket,
}: IncomingMessage): { readonly status: 401 | 403; readonly why: string } | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  if (!socket.authorized) return { status: 401, why: "a client certificate of the cluster is required" };
  const name = socket.getPeerCertificate().subject.CN;
  return name === METRICS_READER ? undefined : { status: 403, why: `only ${METRICS_READER} may read the metrics` };
}
