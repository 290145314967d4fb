import { type Json, type JsonObject, compareText, listAt, objectAt, textAt } from "../../model/json.ts";
import type { ObjectWriter, ObjectWriters } from "../shared/api-use.ts";
import { countOtherRequests, usersOf, listWriters, VERSIONLESS_MANAGERS } from "../shared/api-use.ts";
import type { Crd } from "../../model/crd.ts";
import { summarizeNames } from "../../model/text.ts";
import { type Each, each, soundInPart, withManagedFields } from "../../model/read.ts";
import { refOf, formatRef } from "../../model/resource.ts";
import { type CrdPair, findRemovedVersions, findUnservedVersions } from "./crd-pair.ts";
import type { KindPlan } from "./kind-plan.ts";

/**
 * The users that requested a resource in the last 24 hours. `name` is the APIRequestCount's:
 * "flowschemas.v1beta3.flowcontrol.apiserver.k8s.io". `users` can be incomplete: the API server records only a few by name.
 */
export type RequestCount = { readonly name: string; readonly users: readonly string[] };

/**
 * Clients that request every served version, and so need none in particular: two controllers, which the alerts of Kubernetes and
 * OpenShift about removed APIs also leave out, and this tool.
 */
const DISCOVERY_CLIENTS = ["kube-controller-manager/", "cluster-policy-controller/", "target-release-preflight/"];

/** Keeps an APIRequestCount (apiserver.openshift.io/v1) with requests from clients that need the version. */
export function keepRequestCount(object: JsonObject): RequestCount | undefined {
  const hours = [objectAt(object, "status", "currentHour"), ...listAt(object, "status", "last24h")];
  const used = hours.filter((hour) => countOtherRequests(hour, followsDiscovery) > 0);
  if (used.length === 0) return undefined;
  const users = new Set(
    used
      .flatMap(usersOf)
      .filter((user) => !followsDiscovery(user))
      .flatMap((user) => textAt(user, "username") ?? []),
  );
  return { name: textAt(object, "metadata", "name") ?? "", users: [...users].toSorted(compareText) };
}

function followsDiscovery(user: Json): boolean {
  const agent = textAt(user, "userAgent") ?? "";
  return DISCOVERY_CLIENTS.some((name) => agent.startsWith(name));
}

/** Reads the objects of a kind that loses a version, in the version that the check reads anyway. */
export function buildWritersRead(pair: CrdPair, plan: KindPlan | undefined): Each<ObjectWriters> | undefined {
  const { group, plural, kind, listKind } = pair.installed;
  const toVersions = (names: readonly string[]): ReadonlySet<string> =>
    new Set(names.map((name) => `${group}/${name}`));
  const removed = toVersions(findRemovedVersions(pair));
  const unserved = toVersions(findUnservedVersions(pair));
  const version = plan?.reads[0].shown.name ?? findServedVersion(pair.installed);
  if (removed.size + unserved.size === 0 || version === undefined) return undefined;
  const resource = { group, version, resource: plural, kind, listKind };
  const read = each(resource, (object) => keepObjectWriters(object, removed, unserved));
  return withManagedFields(soundInPart("object", read));
}

export function findServedVersion(crd: Crd): string | undefined {
  const served = crd.versions.filter((version) => version.served);
  return (served.find((version) => version.storage) ?? served[0])?.name;
}

/** The managers that are otherwise ignored count for a removed version, because its managed fields fail server-side apply. */
function keepObjectWriters(
  object: JsonObject,
  removed: ReadonlySet<string>,
  unserved: ReadonlySet<string>,
): ObjectWriters | undefined {
  const writers = listWriters(object).filter(
    ({ manager, version }) => removed.has(version) || (unserved.has(version) && !VERSIONLESS_MANAGERS.has(manager)),
  );
  return writers.length === 0 ? undefined : { object: refOf(object), writers };
}

/** "backup wrote Report demo-a/x in it", or undefined if no object was written in this version. */
export function describeWriters(version: string, objectWriters: readonly ObjectWriters[]): string | undefined {
  const isUse = (one: ObjectWriter): boolean => isIn(version, one) && !VERSIONLESS_MANAGERS.has(one.manager);
  const objects = objectWriters.filter(({ writers }) => writers.some(isUse));
  if (objects.length === 0) return undefined;
  const managers = new Set(objects.flatMap(({ writers }) => writers.filter(isUse).map(({ manager }) => manager)));
  return `${summarizeNames([...managers].toSorted(compareText))} wrote ${describeObjects(objects)} in it`;
}

/** "Report demo-a/x and 2 more": the objects with managed fields in a version, whoever wrote them; undefined if there are none. */
export function describeManagedObjects(version: string, objectWriters: readonly ObjectWriters[]): string | undefined {
  const objects = objectWriters.filter(({ writers }) => writers.some((one) => isIn(version, one)));
  return objects.length === 0 ? undefined : describeObjects(objects);
}

function isIn(name: string, { version }: ObjectWriter): boolean {
  return version.endsWith(`/${name}`);
}

function describeObjects(objects: readonly ObjectWriters[]): string {
  const [first] = objects;
  const more = objects.length === 1 ? "" : ` and ${objects.length - 1} more`;
  return first === undefined ? "" : `${formatRef(first.object)}${more}`;
}
