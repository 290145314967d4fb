import type { Context, Finding } from "../../model/check.ts";
import type { Crd, CrdConversion } from "../../model/crd.ts";
import { type Each, type ReadResults, type ListResult, each, onlyOn, valuesOf } from "../../model/read.ts";
import { type CrdPair, type InstalledCrd, getMinors, refOfCrd } from "./crd-pair.ts";
import { planKind } from "./kind-plan.ts";
import { buildObjectsReads } from "./objects.ts";
import { type RequestCount, keepRequestCount, buildWritersRead, findServedVersion } from "./version-usage.ts";
import type { ObjectVerdict } from "./object-verdict.ts";
import type { ObjectWriters } from "../shared/api-use.ts";
import { at, type JsonObject, listAt, textAt } from "../../model/json.ts";
import { CONVERSION_UNAVAILABLE, CRD_DELETED } from "./risks.ts";

/** A read for each CRD, by purpose and name: "objects:widgets.example.com". */
type ReadsByCrd<P extends string, T> = Readonly<Record<`${P}:${string}`, Each<T>>>;

export type FollowedReads = ReadsByCrd<"objects", ObjectVerdict> &
  ReadsByCrd<"writers", ObjectWriters> &
  ReadsByCrd<"doomed", true> &
  Partial<ConversionReads> & { readonly requestCounts: Each<RequestCount> };

/** Request counts are read with the objects, because a payload ships their CRD too. */
export function buildFollowedReads(
  pairs: readonly CrdPair[],
  deleted: readonly Crd[],
  context: Context,
): FollowedReads {
  const planned = pairs.map((pair) => ({ pair, plan: planKind(pair, getMinors(context)) }));
  const objects: ReadsByCrd<"objects", ObjectVerdict> = collectReads(
    planned.flatMap(({ pair, plan }) => (plan === undefined ? [] : buildObjectsReads(pair, plan, context))),
  );
  const writers: ReadsByCrd<"writers", ObjectWriters> = collectReads(
    planned.map(({ pair, plan }) => [`writers:${pair.target.name}`, buildWritersRead(pair, plan)]),
  );
  const doomed: ReadsByCrd<"doomed", true> = collectReads(
    deleted.map((crd) => [`doomed:${crd.name}`, buildDeletedObjectsRead(crd)]),
  );
  return Object.assign(objects, writers, doomed, buildRequestCountReads(), buildConversionReads(pairs, context));
}

function collectReads<T>(
  entries: readonly (readonly [key: string, read: Each<T> | undefined])[],
): Record<string, Each<T>> {
  return Object.fromEntries(entries.flatMap(([key, read]) => (read === undefined ? [] : [[key, read]])));
}

export function buildRequestCountReads(): { readonly requestCounts: Each<RequestCount> } {
  const counts = each("apiserver.openshift.io/v1/apirequestcounts", keepRequestCount);
  return { requestCounts: onlyOn("openshift", counts) };
}

/** "namespace/name" of Services, and of those whose EndpointSlices have a ready endpoint. */
type ConversionReads = { readonly services: Each<string>; readonly endpoints: Each<string> };

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

/** The installed CRDs that the target's manifests delete. */
export function selectDeletedCrds(installed: readonly InstalledCrd[], { release }: Context): readonly Crd[] {
  const names = new Set(
    release.deleted.filter(({ kind }) => kind === "CustomResourceDefinition").map(({ name }) => name),
  );
  return installed.map(({ crd }) => crd).filter(({ name }) => names.has(name));
}

/** Deleting a CRD deletes its objects, so they are counted. */
function buildDeletedObjectsRead(crd: Crd): Each<true> | undefined {
  const version = findServedVersion(crd);
  if (version === undefined) return undefined;
  const { group, plural, kind, listKind } = crd;
  return each({ group, version, resource: plural, kind, listKind }, () => true);
}

export function buildDeletedCrdFindings(crd: Crd, objects: ListResult<true> | undefined): readonly Finding[] {
  const count = objects === undefined ? 0 : valuesOf(objects).length;
  if (count === 0) return [];
  const which = count === 1 ? "its only object" : `all ${count} of its objects`;
  return [
    {
      risk: CRD_DELETED,
      detail: { kind: "shape" },
      object: refOfCrd(crd),
      message: `The target deletes it together with ${which}.`,
    },
  ];
}

export function buildDeletedCrdNotices(
  crd: Crd,
  objects: ListResult<true> | undefined,
  target: string,
): readonly string[] {
  const isEmpty = objects !== undefined && valuesOf(objects).length === 0;
  return isEmpty ? [`${target} deletes the CRD ${crd.name}, which has no objects.`] : [];
}
