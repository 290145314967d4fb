import { at, isList, type Json, type JsonObject, listAt, textAt } from "../../model/json.ts";
import { countOtherRequests, requestsOf, usersOf } from "../shared/request-counts.ts";
import { parseCountName, parseRemovalMinor } from "./api.ts";
import {
  type RequestingClient,
  buildOddUsage,
  isOwnUser,
  mergeClients,
  parseClient,
  type ApiUsage,
} from "./clients.ts";
import { findRemoval } from "./removals.ts";

/** Keeps an APIRequestCount (apiserver.openshift.io/v1) of an API that some release removes. The cluster's own date takes precedence over the table's. */
export function keepRequestCount(object: JsonObject): ApiUsage | undefined {
  const name = textAt(object, "metadata", "name") ?? "";
  const api = parseCountName(name);
  const release = at(object, "status", "removedInRelease") ?? "";
  const buildOdd = (message: string): ApiUsage => buildOddUsage(`APIRequestCount ${name}`, message);
  if (api === undefined) return release === "" ? undefined : buildOdd("its name is not an API's");
  const minor = release === "" ? findRemoval(api)?.removedIn.openshift : parseRemovalMinor(release);
  if (minor === undefined)
    return release === "" ? undefined : buildOdd(`its removedInRelease ${JSON.stringify(release)} is not a release`);
  const hours = parseHours(at(object, "status"));
  if (hours === undefined || !hours.every(({ counts }) => hasValidCounts(counts)))
    return buildOdd("its counts can't be parsed");
  return {
    kind: "usage",
    api,
    minor,
    hasUnnamedClients: hours.some(({ counts }) => countOtherRequests(counts) > 0),
    unnamedVerbs: [],
    clients: selectClients(hours),
  };
}

function selectClients(hours: readonly CountedHour[]): readonly RequestingClient[] {
  return mergeClients(
    hours.flatMap(({ counts, hour }) =>
      usersOf(counts)
        .filter((user) => !isOwnUser(user) && requestsOf(user) > 0)
        .map((user) => parseClient(user, hour)),
    ),
  );
}

/** `hour` is that of the day in UTC, by its place in the list; the current hour has none. */
type CountedHour = { readonly counts: Json; readonly hour: number | undefined };

/** The hours of the last day. The current hour is one of them, but may be written there later. */
function parseHours(status: Json | undefined): readonly CountedHour[] | undefined {
  const current = at(status, "currentHour");
  const day = at(status, "last24h");
  if (day !== undefined && !isList(day)) return undefined;
  const hours = listAt(status, "last24h").map((counts, hour) => ({ counts, hour }));
  return [...(current === undefined ? [] : [{ counts: current, hour: undefined }]), ...hours];
}

function hasValidCounts(hour: Json): boolean {
  const counts = [hour, ...usersOf(hour)].map((counted) => at(counted, "requestCount"));
  return counts.every((count) => count === undefined || typeof count === "number");
}
