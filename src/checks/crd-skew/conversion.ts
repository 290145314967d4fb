import type { Context, Finding } from "../../model/check.ts";
import type { CrdConversion } from "../../model/crd.ts";
import { at, type JsonObject, listAt, textAt } from "../../model/json.ts";
import { type Each, each, type ReadResults, valuesOf } from "../../model/read.ts";
import { type CrdPair, refOfCrd } from "./crd-pair.ts";
import { CONVERSION_UNAVAILABLE } from "./risk-names.ts";

/** "namespace/name" of Services, and of those whose EndpointSlices have a ready endpoint. */
export type ConversionReads = { readonly services: Each<string>; readonly endpoints: Each<string> };

type Service = NonNullable<CrdConversion["service"]>;

function formatServiceName({ namespace, name }: Service): string {
  return `${namespace}/${name}`;
}

/** The Service of a newly added conversion webhook, if the CRD has several versions and the target does not ship the Service. */
function findNewConverter({ installed, target }: CrdPair, { release }: Context): string | undefined {
  const { strategy, service } = target.conversion;
  if (strategy !== "Webhook" || service === undefined || target.versions.length < 2) return undefined;
  const before = installed.conversion;
  const isSame =
    before.strategy === "Webhook" && before.service && formatServiceName(before.service) === formatServiceName(service);
  const isShipped = release.manifests.some(
    ({ apiVersion, kind, namespace, name }) =>
      apiVersion === "v1" && kind === "Service" && namespace === service.namespace && name === service.name,
  );
  return isSame || isShipped ? undefined : formatServiceName(service);
}

/** The Services and endpoints that show whether a newly added conversion webhook can answer. */
export function buildConversionReads(pairs: readonly CrdPair[], context: Context): Partial<ConversionReads> {
  const serviceNames = new Set(pairs.flatMap((pair) => findNewConverter(pair, context) ?? []));
  return serviceNames.size === 0 ? {} : buildReads(serviceNames);
}

/** The same reads without a target, to derive the rights. */
export function buildConversionReadsForRights(): ConversionReads {
  return buildReads(new Set());
}

function buildReads(serviceNames: ReadonlySet<string>): ConversionReads {
  return {
    services: each("v1/services", (object) => {
      const service = `${textAt(object, "metadata", "namespace") ?? ""}/${textAt(object, "metadata", "name") ?? ""}`;
      return serviceNames.has(service) ? service : undefined;
    }),
    endpoints: each("discovery.k8s.io/v1/endpointslices", (object) => keepEndpoints(object, serviceNames)),
  };
}

function keepEndpoints(object: JsonObject, serviceNames: ReadonlySet<string>): string | undefined {
  const owner = textAt(object, "metadata", "labels", "kubernetes.io/service-name") ?? "";
  const service = `${textAt(object, "metadata", "namespace") ?? ""}/${owner}`;
  // An endpoint that says nothing of being ready counts as ready: so the API has it.
  const isReady = listAt(object, "endpoints").some((endpoint) => at(endpoint, "conditions", "ready") !== false);
  return serviceNames.has(service) && isReady ? service : undefined;
}

/** A failed read is already an unknown, not a finding. */
export function buildConversionFindings(
  pairs: readonly CrdPair[],
  context: Context,
  values: Partial<ReadResults<ConversionReads>>,
): readonly Finding[] {
  return pairs.flatMap((pair) => {
    const service = findNewConverter(pair, context);
    const fault = service === undefined ? undefined : describeFault(service, values);
    if (service === undefined || fault === undefined) return [];
    const message = `Its conversion webhook's Service ${service} ${fault}.`;
    const path = "spec.conversion.webhook.clientConfig.service";
    return [
      { risk: CONVERSION_UNAVAILABLE, detail: { kind: "conversion" }, object: refOfCrd(pair.installed), path, message },
    ];
  });
}

function describeFault(
  service: string,
  { services, endpoints }: Partial<ReadResults<ConversionReads>>,
): string | undefined {
  if (services && !valuesOf(services).includes(service)) return "does not exist";
  return endpoints && !valuesOf(endpoints).includes(service) ? "has no ready endpoints" : undefined;
}
