import type { Context, Finding } from "../../model/check.ts";
import type { CrdConversion } from "../../model/crd.ts";
import { at, type JsonObject, listAt, textAt } from "../../model/json.ts";
import { type Each, each, type Listed, type Values, valuesOf } from "../../model/read.ts";
import { type Pair, refOfCrd } from "./definitions.ts";
import { CONVERSION_UNAVAILABLE } from "./risks.ts";

/** "namespace/name" of a Service, and of the Service of an EndpointSlice that has a ready endpoint. */
export type ServiceSeen = { readonly kind: "service"; readonly service: string };
export type EndpointsSeen = { readonly kind: "endpoints"; readonly service: string };

type ConversionReads = { readonly services: Each<ServiceSeen>; readonly endpoints: Each<EndpointsSeen> };

type Service = NonNullable<CrdConversion["service"]>;

function nameOf({ namespace, name }: Service): string {
  return `${namespace}/${name}`;
}

/** The Service that would begin to convert, where there is something to convert and the target doesn't bring it. */
function newConverter({ installed, target }: Pair, { release }: Context): string | undefined {
  const { strategy, service } = target.conversion;
  if (strategy !== "Webhook" || service === undefined || target.versions.length < 2) return undefined;
  const before = installed.conversion;
  const isSame = before.strategy === "Webhook" && before.service && nameOf(before.service) === nameOf(service);
  const isShipped = release.manifests.some(
    ({ apiVersion, kind, namespace, name }) =>
      apiVersion === "v1" && kind === "Service" && namespace === service.namespace && name === service.name,
  );
  return isSame || isShipped ? undefined : nameOf(service);
}

/** Where definitions get a converter that is not the target's own: the Services and endpoints by which to see whether it is there. */
export function conversionReads(pairs: readonly Pair[], context: Context): Partial<ConversionReads> {
  const wanted = new Set(pairs.flatMap((pair) => newConverter(pair, context) ?? []));
  return wanted.size === 0 ? {} : readsOf(wanted);
}

/** The same without a target, for the rights. */
export function anyConversionReads(): ConversionReads {
  return readsOf(new Set());
}

function readsOf(wanted: ReadonlySet<string>): ConversionReads {
  return {
    services: each("v1/services", (object) => {
      const service = `${textAt(object, "metadata", "namespace") ?? ""}/${textAt(object, "metadata", "name") ?? ""}`;
      return wanted.has(service) ? { kind: "service" as const, service } : undefined;
    }),
    endpoints: each("discovery.k8s.io/v1/endpointslices", (object) => keepEndpoints(object, wanted)),
  };
}

function keepEndpoints(object: JsonObject, wanted: ReadonlySet<string>): EndpointsSeen | undefined {
  const owner = textAt(object, "metadata", "labels", "kubernetes.io/service-name") ?? "";
  const service = `${textAt(object, "metadata", "namespace") ?? ""}/${owner}`;
  // An endpoint that says nothing of being ready counts as ready: so the API has it.
  const isReady = listAt(object, "endpoints").some((endpoint) => at(endpoint, "conditions", "ready") !== false);
  return wanted.has(service) && isReady ? { kind: "endpoints", service } : undefined;
}

/** What could not be read is a blind spot already, and no finding. */
export function conversionFindings(
  pairs: readonly Pair[],
  context: Context,
  seen: Partial<Values<ConversionReads>>,
): readonly Finding[] {
  return pairs.flatMap((pair) => {
    const service = newConverter(pair, context);
    const lack = service === undefined ? undefined : lackOf(service, seen);
    if (service === undefined || lack === undefined) return [];
    const message = `The Service ${service}, which is to convert between its versions, ${lack}.`;
    const path = "spec.conversion.webhook.clientConfig.service";
    return [
      { risk: CONVERSION_UNAVAILABLE, detail: { kind: "conversion" }, object: refOfCrd(pair.installed), path, message },
    ];
  });
}

function lackOf(service: string, { services, endpoints }: Partial<Values<ConversionReads>>): string | undefined {
  if (services && !names(services).has(service)) return "is not there";
  return endpoints && !names(endpoints).has(service) ? "has no ready endpoints" : undefined;
}

function names(listed: Listed<ServiceSeen | EndpointsSeen>): ReadonlySet<string> {
  return new Set(valuesOf(listed).map(({ service }) => service));
}
