import { at, byText, isList, type Json, type JsonObject, listAt, numberAt, textAt } from "../../model/json.ts";
import { apiOfCount, minorOf } from "./api.ts";
import { type Client, clientOf, isOwn } from "./clients.ts";
import { knownRemoval } from "./table.ts";
import type { Usage } from "./usage.ts";

/** Keeps an APIRequestCount (apiserver.openshift.io/v1) of an API that some release removes, by the cluster's own word before ours. */
export function keepRequestCount(object: JsonObject): Usage | undefined {
  const name = textAt(object, "metadata", "name") ?? "";
  const api = apiOfCount(name);
  const announced = at(object, "status", "removedInRelease") ?? "";
  if (api === undefined) return announced === "" ? undefined : odd(name, "its name is that of no API");
  const minor = announced === "" ? knownRemoval(api)?.openshift : minorOf(announced);
  if (minor === undefined)
    return announced === "" ? undefined : odd(name, `its removedInRelease ${JSON.stringify(announced)} is no release`);
  const hours = hoursOf(at(object, "status"));
  if (hours === undefined || !hours.every(isCounted)) return odd(name, "its counts are not understood");
  return { kind: "usage", api, minor, unnamed: hours.some((hour) => unnamedIn(hour) > 0), clients: clientsOf(hours) };
}

function clientsOf(hours: readonly Json[]): readonly Client[] {
  const users = hours.flatMap(usersOf).filter((user) => !isOwn(user) && requestsOf(user) > 0);
  const named = new Map(users.map(clientOf).map((client) => [client.text, client]));
  return [...named.values()].toSorted((a, b) => byText(a.text, b.text));
}

function odd(name: string, message: string): Usage {
  return { kind: "odd", where: `APIRequestCount ${name}`, message };
}

/** The hours of the last day; the current one is among them, but may be written there later. */
function hoursOf(status: Json | undefined): readonly Json[] | undefined {
  const [current, day] = [at(status, "currentHour"), at(status, "last24h")];
  if (day !== undefined && !isList(day)) return undefined;
  return [...(current === undefined ? [] : [current]), ...listAt(status, "last24h")];
}

function isCounted(hour: Json): boolean {
  const counts = [hour, ...usersOf(hour)].map((counted) => at(counted, "requestCount"));
  return counts.every((count) => count === undefined || typeof count === "number");
}

/** An hour's requests without those of named clients; only the most active ones are counted by name. */
function unnamedIn(hour: Json): number {
  return usersOf(hour).reduce<number>((left, user) => left - requestsOf(user), requestsOf(hour));
}

function usersOf(hour: Json): readonly Json[] {
  return listAt(hour, "byNode").flatMap((node) => listAt(node, "byUser"));
}

function requestsOf(counted: Json): number {
  return numberAt(counted, "requestCount") ?? 0;
}
