import { type JsonObject, at, listAt, numberAt, textAt } from "../../model/json.ts";
import { parseLabels } from "../../model/object.ts";
import { type ListResult, valuesOf } from "../../model/read.ts";
import { isRecent, parseTimestamp } from "../../model/time.ts";
import type { WebhookClient } from "./webhooks.ts";

/** `name` is "" for a Service's only port. */
type ServicePort = { readonly port: number; readonly name: string };

/** A Service; `service` is "namespace/name". */
export type BackendService = {
  readonly service: string;
  readonly isExternal: boolean;
  /** The labels of its pods, as `kubectl get -l` takes them; "" for a Service whose endpoints somebody else writes. */
  readonly selector: string;
  readonly ports: readonly ServicePort[];
};

/** An EndpointSlice: its ready endpoints (two are enough), the Service's ports that it serves, and the time of its last change. */
export type EndpointSlice = {
  readonly service: string;
  readonly readyEndpoints: readonly string[];
  readonly hasEndpoints: boolean;
  readonly ports: readonly string[];
  /** In milliseconds since 1970. */
  readonly changedAt?: number;
};

export type Backends = {
  readonly services: ReadonlyMap<
    string,
    { readonly service: BackendService; readonly slices: readonly EndpointSlice[] }
  >;
  /** Absent if they may not be all. */
  readonly namespaces?: ReadonlySet<string>;
  /** Whether it is not known when an EndpointSlice changed last. */
  readonly lacksTimes: boolean;
  /** The namespaces whose Services and EndpointSlices were read; absent if all were. */
  readonly heldNamespaces?: ReadonlySet<string>;
};

/** Whether a webhook's Service can answer. */
export type BackendState =
  | { readonly kind: "answers" }
  /** Only one endpoint is ready, and not because another one restarts. */
  | { readonly kind: "single" }
  /** No endpoint has been ready for a short time, or for a time that is not known. */
  | { readonly kind: "restarting" }
  /** An archive doesn't hold the Service's namespace. */
  | { readonly kind: "notHeld" }
  /** The backend is outside the cluster, where a check can't examine it. */
  | { readonly kind: "outside" }
  | { readonly kind: "down"; readonly why: string; readonly service: string; readonly lacks: MissingPart };

/** What a backend that is down lacks: the whole namespace, its Service, the Service's port, pods, or only their readiness. */
export type MissingPart = "namespace" | "service" | "port" | "pods" | "readiness";

/**
 * How long a webhook may take to come back before its absence counts. If a node fails, its pods start elsewhere after six minutes, five
 * of which Kubernetes waits for the node.
 */
const GRACE_PERIOD_MS = 10 * 60_000;

export function keepService(object: JsonObject): BackendService {
  return {
    service: formatServiceName(object, textAt(object, "metadata", "name")),
    isExternal: textAt(object, "spec", "type") === "ExternalName",
    selector: Object.entries(parseLabels(object, "spec", "selector"))
      .map(([key, value]) => `${key}=${value}`)
      .join(),
    ports: listAt(object, "spec", "ports").flatMap((one) => {
      const port = numberAt(one, "port");
      return port === undefined ? [] : [{ port, name: textAt(one, "name") ?? "" }];
    }),
  };
}

/** As the API defines it, an endpoint without the condition counts as ready. A pod with two addresses counts once. */
export function keepEndpointSlice(object: JsonObject): EndpointSlice | undefined {
  const owner = textAt(object, "metadata", "labels", "kubernetes.io/service-name");
  if (owner === undefined) return undefined;
  const ready = listAt(object, "endpoints")
    .filter((endpoint) => at(endpoint, "conditions", "ready") !== false)
    .map((endpoint) => textAt(endpoint, "targetRef", "name") ?? textAt(endpoint, "addresses", 0) ?? "");
  const changedAt = findLastChange(object);
  return {
    service: formatServiceName(object, owner),
    readyEndpoints: [...new Set(ready)].slice(0, 2),
    hasEndpoints: listAt(object, "endpoints").length > 0,
    ports: listAt(object, "ports").map((port) => textAt(port, "name") ?? ""),
    changedAt,
  };
}

export const LAST_CHANGE = "endpoints.kubernetes.io/last-change-trigger-time";

/**
 * The annotation holds the time when a pod became ready or unready, and is removed when a pod is deleted. For that case the API server's
 * managedFields hold the time of each writer's last change.
 */
function findLastChange(object: JsonObject): number | undefined {
  const metadata = at(object, "metadata");
  const times = [
    textAt(metadata, "annotations", LAST_CHANGE),
    textAt(metadata, "creationTimestamp"),
    ...listAt(metadata, "managedFields").map((writer) => textAt(writer, "time")),
  ];
  const instants = times.flatMap((time) => parseTimestamp(time) ?? []);
  return instants.length === 0 ? undefined : Math.max(...instants);
}

function formatServiceName(object: JsonObject, name: string | undefined): string {
  return `${textAt(object, "metadata", "namespace") ?? ""}/${name ?? ""}`;
}

export function buildBackends(
  services: ListResult<BackendService>,
  slices: ListResult<EndpointSlice>,
  namespaces: ListResult<{ readonly name: string }>,
): Backends {
  const owned = Map.groupBy(valuesOf(slices), ({ service }) => service);
  const entries = valuesOf(services).map(
    (service) => [service.service, { service, slices: owned.get(service.service) ?? [] }] as const,
  );
  const lacksTimes = slices.kind === "found" && slices.lacksManagedFields === true;
  return {
    services: new Map(entries),
    lacksTimes,
    namespaces: isWhole(namespaces) ? new Set(valuesOf(namespaces).map(({ name }) => name)) : undefined,
    heldNamespaces: findHeldNamespaces(services, slices),
  };
}

function isWhole(list: ListResult<unknown>): boolean {
  return list.kind === "found" && list.heldNamespaces === undefined;
}

/** A Service can be judged where the archive holds both kinds. */
function findHeldNamespaces(...lists: readonly ListResult<unknown>[]): ReadonlySet<string> | undefined {
  const held = lists.flatMap((list) => (list.kind === "found" ? (list.heldNamespaces ?? []) : []));
  return held.length === 0
    ? undefined
    : held.reduce((common, one) => new Set([...common].filter((name) => one.has(name))));
}

export function getBackendState(client: WebhookClient, backends: Backends, now: Date): BackendState {
  if (client.kind === "url") return client.isLocal ? { kind: "answers" } : { kind: "outside" };
  const [namespace = ""] = client.service.split("/", 1);
  if (backends.heldNamespaces?.has(namespace) === false) return { kind: "notHeld" };
  const backend = backends.services.get(client.service);
  const { service } = client;
  if (backends.namespaces?.has(namespace) === false)
    return buildDown(service, "namespace", "doesn't exist, and neither does its namespace");
  if (backend === undefined) return buildDown(service, "service", "doesn't exist");
  if (backend.service.isExternal) return { kind: "outside" };
  const port = backend.service.ports.find((one) => one.port === client.port);
  if (port === undefined) return buildDown(service, "port", `has no port ${client.port}`);
  const state = getPortState(port, backend.service, backend.slices, now);
  return state.kind === "down" && backends.lacksTimes && backend.slices.length > 0 ? { kind: "restarting" } : state;
}

/** Pods without the port's target, which may be a name, are not endpoints of the port. */
function getPortState(
  { port, name }: ServicePort,
  { service, selector }: BackendService,
  slices: readonly EndpointSlice[],
  now: Date,
): BackendState {
  const ready = new Set(slices.filter(({ ports }) => ports.includes(name)).flatMap((slice) => slice.readyEndpoints));
  const isRestarting = slices.some(
    ({ changedAt }) => changedAt !== undefined && isRecent(now.getTime() - changedAt, GRACE_PERIOD_MS),
  );
  if (ready.size > 0) return { kind: ready.size > 1 || isRestarting ? "answers" : "single" };
  if (isRestarting) return { kind: "restarting" };
  const hasPods = slices.some(({ hasEndpoints }) => hasEndpoints);
  const pods = selector === "" ? "" : `; it selects pods with ${selector}`;
  return buildDown(service, hasPods ? "readiness" : "pods", `has no ready endpoint for its port ${port}${pods}`);
}

function buildDown(service: string, lacks: MissingPart, fault: string): BackendState {
  return { kind: "down", why: `Service ${service} ${fault}`, service, lacks };
}
