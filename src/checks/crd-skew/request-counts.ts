import { byText, type JsonObject, listAt, numberAt, objectAt, textAt } from "../../model/json.ts";

/** Who asked for a resource in the last 24 hours. `name` is the APIRequestCount's: "flowschemas.v1beta3.flowcontrol.apiserver.k8s.io". */
export type RequestCount = { readonly name: string; readonly users: readonly string[] };

/** Keeps an APIRequestCount (apiserver.openshift.io/v1) that counted requests, with its users' names. */
export function keepRequestCount(object: JsonObject): RequestCount | undefined {
  const hours = [objectAt(object, "status", "currentHour"), ...listAt(object, "status", "last24h")];
  if (!hours.some((hour) => (numberAt(hour, "requestCount") ?? 0) > 0)) return undefined;
  const users = hours.flatMap((hour) => listAt(hour, "byNode")).flatMap((node) => listAt(node, "byUser"));
  const names = new Set(users.flatMap((user) => textAt(user, "username") ?? []));
  return { name: textAt(object, "metadata", "name") ?? "", users: [...names].toSorted(byText) };
}
