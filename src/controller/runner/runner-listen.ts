import type { JsonObject } from "../../model/json.ts";

/**
 * Where the runner serves probes and metrics: the flag's value and its parts; without a host, on every address of the node. `certSecret`
 * names the Secret with the certificate, for TLS.
 */
export type RunnerListen = {
  readonly address: string;
  readonly host?: string;
  readonly port: number;
  readonly certSecret?: string;
};

type TlsParts = Readonly<Record<"env" | "volumes" | "volumeMounts", readonly JsonObject[]>>;

const CERT_VOLUME = "serving-cert";
const CERT_PATH = "/etc/tls/private";

/** What the pod and its container have for TLS. */
export function buildTls({ certSecret: secretName }: RunnerListen): TlsParts {
  if (secretName === undefined) return { env: [], volumes: [], volumeMounts: [] };
  return {
    env: [{ name: "PREFLIGHT_LISTEN_CERT", value: CERT_PATH }],
    volumes: [{ name: CERT_VOLUME, secret: { secretName } }],
    volumeMounts: [{ name: CERT_VOLUME, mountPath: CERT_PATH, readOnly: true }],
  };
}

/** Declares a port that isn't on loopback, so that the scheduler knows the node's port is taken. */
export function buildPorts({ host, port }: RunnerListen): JsonObject {
  if (host !== undefined && isLoopback(host)) return {};
  return { ports: [{ name: "metrics", containerPort: port, protocol: "TCP" }] };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}

/** On the host network, the kubelet probes from the node itself. */
export function buildProbe(path: string, { host, port, certSecret }: RunnerListen): JsonObject {
  const isWildcard = host === undefined || host === "0.0.0.0" || host === "::";
  const address = { host: isWildcard ? "127.0.0.1" : host, port, path };
  const httpGet = certSecret === undefined ? address : { ...address, scheme: "HTTPS" };
  return { httpGet, periodSeconds: 30, timeoutSeconds: 5 };
}
