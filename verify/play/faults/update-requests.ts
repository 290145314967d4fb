import type { JsonObject } from "../../../src/model/json.ts";
import type { AdminResponse } from "../../api-server/admin-api.ts";
import type { PlayedWorld } from "../fault.ts";
import { MERGE_PATCH } from "./objects.ts";

/** A request as an update makes it; none is carried out. */
export type Request = {
  readonly method: "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: JsonObject;
};

export function send({ api }: PlayedWorld, { method, path, body }: Request): Promise<AdminResponse> {
  return api.call(method, `${path}?dryRun=All`, body, method === "PATCH" ? MERGE_PATCH : undefined);
}

export const POD: JsonObject = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "moved" },
  spec: { containers: [{ name: "main", image: "example.com/main" }] },
};

/** What a drained node's pods need in any namespace, which has the pod already. */
export function buildPodRequests(namespace: string): readonly Request[] {
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  const metadata = { namespace, name: "moved" };
  const target = { apiVersion: "v1", kind: "Node", name: "worker-0.demo.example.com" };
  return [
    { method: "POST", path: pods, body: { ...POD, metadata: { name: "next" } } },
    { method: "POST", path: `${pods}/moved/eviction`, body: { apiVersion: "policy/v1", kind: "Eviction", metadata } },
    { method: "POST", path: `${pods}/moved/binding`, body: { apiVersion: "v1", kind: "Binding", metadata, target } },
    { method: "PATCH", path: `${pods}/moved`, body: { metadata: { labels: { moved: "yes" } } } },
    { method: "PATCH", path: `${pods}/moved/status`, body: { status: { message: "moved" } } },
    { method: "DELETE", path: `${pods}/moved` },
  ];
}

const LABELS = { app: "operand" };
const SELECTOR = { matchLabels: LABELS };
const NO_PODS = { matchLabels: { app: "none" } };
const TEMPLATE = { metadata: { labels: LABELS }, spec: { containers: [{ name: "main", image: "example.com/main" }] } };

/** The objects of operators in their namespaces. */
export function buildOperands(namespace: string): readonly Operand[] {
  return OPERANDS.map(([apiVersion, kind, plural, fields]) => ({
    path: `/${apiVersion === "v1" ? "api" : "apis"}/${apiVersion}/namespaces/${namespace}/${plural}`,
    body: { apiVersion, kind, metadata: { name: "operand" }, ...fields },
  }));
}

type Operand = { readonly path: string; readonly body: JsonObject };

/** What operators write in their namespaces, which have the objects already. */
export function buildOperatorRequests(namespace: string): readonly Request[] {
  const change = { metadata: { labels: { changed: "yes" } } };
  const own = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } };
  const requests = buildOperands(namespace).flatMap(({ path, body }): readonly Request[] => [
    { method: "POST", path, body: { ...body, metadata: { name: "next" } } },
    { method: "PATCH", path: `${path}/operand`, body: change },
  ]);
  return [
    ...requests,
    { method: "PATCH", path: `/api/v1/namespaces/${namespace}`, body: change },
    { method: "POST", path: "/api/v1/namespaces", body: own },
  ];
}

const OPERANDS: readonly (readonly [apiVersion: string, kind: string, plural: string, fields: JsonObject])[] = [
  ["v1", "ConfigMap", "configmaps", { data: { a: "b" } }],
  ["v1", "Secret", "secrets", { stringData: { a: "b" } }],
  ["v1", "ServiceAccount", "serviceaccounts", {}],
  ["v1", "Service", "services", { spec: { ports: [{ port: 443 }] } }],
  ["apps/v1", "Deployment", "deployments", { spec: { replicas: 0, selector: SELECTOR, template: TEMPLATE } }],
  ["apps/v1", "DaemonSet", "daemonsets", { spec: { selector: SELECTOR, template: TEMPLATE } }],
  ["coordination.k8s.io/v1", "Lease", "leases", { spec: { holderIdentity: "operator" } }],
  ["networking.k8s.io/v1", "NetworkPolicy", "networkpolicies", { spec: { podSelector: SELECTOR } }],
  ["policy/v1", "PodDisruptionBudget", "poddisruptionbudgets", { spec: { selector: NO_PODS, maxUnavailable: 1 } }],
  ["rbac.authorization.k8s.io/v1", "Role", "roles", { rules: [] }],
];
