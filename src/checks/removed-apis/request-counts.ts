import { at, isList, type Json, type JsonObject, listAt, textAt } from "../../model/json.ts";
import { countOtherRequests, requestsOf, usersOf } from "../shared/request-counts.ts";
import { parseCountName, parseRemovalMinor } from "./api.ts";
import { type RequestingClient, isOwnUser, mergeClients, parseClient, type ApiUsage } from "./clients.ts";
import { findRemoval } from "./removals.ts";

/** Keeps an APIRequestCount (apiserver.openshift.io/v1) of an API that some release removes. The cluster's own date takes precedence over the table's. */
export function keepRequestCount(object: JsonObject): ApiUsage | undefined {
  const name = textAt(object, "metadata", "name") ?? "";
  const api = parseCountName(name);
  const announcedRelease = at(object, "status", "removedInRelease") ?? "";
  if (api === undefined) return announcedRelease === "" ? undefined : buildOddUsage(name, "its name is not an API's");
  const minor = announcedRelease === "" ? findRemoval(api)?.removedIn.openshift : parseRemovalMinor(announcedRelease);
  if (minor === undefined)
    return announcedRelease === ""
      ? undefined
      : buildOddUsage(name, `its removedInRelease ${JSON.stringify(announcedRelease)} is not a release`);
  const hours = parseHours(at(object, "status"));
  if (hours === undefined || !hours.every(({ counts }) => hasValidCounts(counts)))
    return buildOddUsage(name, "its counts can't be parsed");
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

function buildOddUsage(name: string, message: string): ApiUsage {
  return { kind: "odd", where: `APIRequestCount ${name}`, message };
}

/** `hour` is that of the day in UTC, by its place in the list; the current hour has none. */
type CountedHour = { readonly counts: Json; readonly hour: number | undefined };

/** The hours of the last day. The current hour is one of them, but may be written there later. */
function parseHours(status: Json | undefined): readonly CountedHour[] | undefined {
  const [current, day] = [at(status, "currentHour"), at(status, "last24h")];
  if (day !== undefined && !isList(day)) return undefined;
  const hours = listAt(status, "last24h").map((counts, hour) => ({ counts, hour }));
  return [...(current === undefined ? [] : [{ counts: current, hour: undefined }]), ...hours];
}

function hasValidCounts(hour: Json): boolean {
  const counts = [hour, ...usersOf(hour)].map((counted) => at(counted, "requestCount"));
  return counts.every((count) => count === undefined || typeof count === "number");
}
