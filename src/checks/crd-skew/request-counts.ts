import { compareText, type Json, type JsonObject, listAt, objectAt, textAt } from "../../model/json.ts";
import { countOtherRequests, usersOf } from "../shared/request-counts.ts";

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
