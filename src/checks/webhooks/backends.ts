import { type JsonObject, at, listAt, numberAt, textAt } from "../../model/json.ts";
import { ageOf } from "../../model/time.ts";
import type { Client } from "./hooks.ts";

/** A Service; `service` is "namespace/name". */
export type Service = {
  readonly service: string;
  readonly isExternal: boolean;
  readonly ports: readonly number[];
};

/** An EndpointSlice: who of it is ready (up to two, which is all that matters), and when a pod of it last changed. */
export type Slice = {
  readonly service: string;
  readonly ready: readonly string[];
  readonly changed?: string;
};

export type Backends = ReadonlyMap<string, { readonly service: Service; readonly slices: readonly Slice[] }>;

/** Whether a Service can answer. */
export type State =
  | { readonly kind: "answers" }
  /** One endpoint alone is ready. */
  | { readonly kind: "single" }
  /** No endpoint is ready, since a moment. */
  | { readonly kind: "restarting" }
  /** It leads out of the cluster, where a check can't look. */
  | { readonly kind: "outside" }
  | { readonly kind: "down"; readonly why: string };

/** How long a webhook may take to come back before its absence counts: a restart of its only pod on another node. */
const RESTART_MS = 5 * 60_000;

export function keepService(object: JsonObject): Service {
  return {
    service: nameOf(object, textAt(object, "metadata", "name")),
    isExternal: textAt(object, "spec", "type") === "ExternalName",
    ports: listAt(object, "spec", "ports").flatMap((port) => numberAt(port, "port") ?? []),
  };
}

/** An endpoint that says nothing of being ready counts as ready: so the API has it. A pod with two addresses is one. */
export function keepSlice(object: JsonObject): Slice | undefined {
  const owner = textAt(object, "metadata", "labels", "kubernetes.io/service-name");
  if (owner === undefined) return undefined;
  const ready = listAt(object, "endpoints")
    .filter((endpoint) => at(endpoint, "conditions", "ready") !== false)
    .map((endpoint) => textAt(endpoint, "targetRef", "name") ?? textAt(endpoint, "addresses", 0) ?? "");
  const changed = textAt(object, "metadata", "annotations", "endpoints.kubernetes.io/last-change-trigger-time");
  return {
    service: nameOf(object, owner),
    ready: [...new Set(ready)].slice(0, 2),
    ...(changed === undefined ? {} : { changed }),
  };
}

function nameOf(object: JsonObject, name: string | undefined): string {
  return `${textAt(object, "metadata", "namespace") ?? ""}/${name ?? ""}`;
}

export function backendsOf(services: readonly Service[], slices: readonly Slice[]): Backends {
  const owned = Map.groupBy(slices, ({ service }) => service);
  return new Map(services.map((service) => [service.service, { service, slices: owned.get(service.service) ?? [] }]));
}

export function stateOf(client: Client, backends: Backends, now: Date): State {
  if (client.kind === "url") return client.isLocal ? { kind: "answers" } : { kind: "outside" };
  const backend = backends.get(client.service);
  if (backend === undefined) return { kind: "down", why: `Service ${client.service} is not there` };
  if (backend.service.isExternal) return { kind: "outside" };
  if (!backend.service.ports.includes(client.port))
    return { kind: "down", why: `Service ${client.service} has no port ${client.port}` };
  const ready = new Set(backend.slices.flatMap((slice) => slice.ready));
  if (ready.size > 0) return { kind: ready.size > 1 ? "answers" : "single" };
  if (backend.slices.some(({ changed }) => (ageOf(changed, now) ?? RESTART_MS) < RESTART_MS))
    return { kind: "restarting" };
  return { kind: "down", why: `Service ${client.service} has no ready endpoint` };
}
