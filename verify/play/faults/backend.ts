import { mkdirSync } from "node:fs";
import { createServer } from "node:https";
import { join } from "node:path";
import { isObject, type Json, type JsonObject, listAt, objectAt, textAt } from "../../../src/model/json.ts";
import { type CertificateAuthority, createAuthority, type KeyPair } from "../../api-server/certificates.ts";
import type { ControlPlane } from "../../api-server/control-plane.ts";
import { connectEtcd } from "../../api-server/etcd-store.ts";
import type { PlayedWorld } from "../fault.ts";

/** A server on loopback that answers what an API server asks of webhooks and of aggregated APIs, until the process ends. */
export type Backend = { readonly port: number; readonly caBundle: string };

/** Nobody listens there. */
export const CLOSED_PORT = 1;
/** The warning with which it allows a request. */
export const ANSWER = "the backend answered";
const LOOPBACK = "127.0.0.1";
const LONG_AGO = "2026-01-01T00:00:00Z";
const DAYS = 2;

/** `namespace`: of the Services that lead to it, which its certificate names. */
export async function startBackend({ cluster }: PlayedWorld, namespace: string): Promise<Backend> {
  const { ca, issue } = createBackendAuthority(cluster, namespace);
  return { port: await serve(issue("backend", `DNS:*.${namespace}.svc`, DAYS)), caBundle: encode(ca.cert) };
}

/** Its files are in the folder of the control plane, which goes with it. */
export function createBackendAuthority({ env }: ControlPlane, name: string): CertificateAuthority {
  const folder = join(env["ENVTEST_DIR"] ?? "", name);
  mkdirSync(folder, { recursive: true });
  return createAuthority(folder);
}

export function encode(text: string): string {
  return Buffer.from(text).toString("base64");
}

/** Serves with a certificate, and returns the port. */
export function serve({ cert, key }: Pick<KeyPair, "cert" | "key">): Promise<number> {
  const server = createServer({ cert, key }, (request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (part: string) => (text += part));
    request.on("end", () => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(answer(request.url ?? "", text)));
    });
  });
  server.on("request", ({ socket }) => socket.unref());
  server.unref();
  return new Promise((resolve, reject) => {
    server.on("error", reject).listen(0, LOOPBACK, () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
}

function answer(url: string, text: string): JsonObject {
  const body = parse(text);
  const request = objectAt(body, "request");
  const uid = textAt(request, "uid") ?? "";
  const { apiVersion = "", kind = "" } = body;
  if (kind === "AdmissionReview") return { apiVersion, kind, response: { uid, allowed: true, warnings: [ANSWER] } };
  if (kind === "ConversionReview") return { apiVersion, kind, response: convert(uid, request) };
  const groupVersion = url.replace(/^\/apis\//, "").replace(/\?.*/, "");
  return { kind: "APIResourceList", apiVersion: "v1", groupVersion, resources: [] };
}

/** All versions have the same fields. */
function convert(uid: string, request: JsonObject): JsonObject {
  const apiVersion = textAt(request, "desiredAPIVersion") ?? "";
  const convertedObjects = listAt(request, "objects").map((object) => ({ ...objectAt(object), apiVersion }));
  return { uid, result: { status: "Success" }, convertedObjects };
}

function parse(text: string): JsonObject {
  const value: Json = text === "" ? {} : JSON.parse(text);
  return isObject(value) ? value : {};
}

/** How a Service is there: with pods that are ready, with pods that aren't, or without any. */
export type Presence = "ready" | "unready" | "empty";

/**
 * Writes a Service that leads to loopback, with its EndpointSlice, into the store: nothing routes a cluster's addresses here, and
 * the API server takes no such address of anyone else.
 */
export async function expose(
  { cluster }: PlayedWorld,
  { namespace, name, port, presence }: { namespace: string; name: string; port: number; presence: Presence },
): Promise<void> {
  const metadata = { namespace, name, uid: `${namespace}-${name}`, creationTimestamp: LONG_AGO };
  const ports = [{ name: "https", port, protocol: "TCP" }];
  const spec = { type: "ClusterIP", clusterIP: LOOPBACK, clusterIPs: [LOOPBACK], sessionAffinity: "None" };
  const families = { ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" };
  const labels = { "kubernetes.io/service-name": name };
  const endpoints = ["a", "b"].map((pod) => ({
    addresses: [LOOPBACK],
    conditions: { ready: presence === "ready" },
    targetRef: { kind: "Pod", namespace, name: `${name}-${pod}` },
  }));
  const service = {
    apiVersion: "v1",
    kind: "Service",
    metadata,
    spec: { ...spec, ...families, ports: ports.map((one) => ({ ...one, targetPort: port })) },
  };
  const slice = {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { ...metadata, labels },
    addressType: "IPv4",
    endpoints,
    ports,
  };
  const objects: [string, JsonObject][] = [[`/registry/services/specs/${namespace}/${name}`, service]];
  if (presence !== "empty") objects.push([`/registry/endpointslices/${namespace}/${name}`, slice]);
  await connectEtcd(cluster).putAll(new Map(objects));
}
