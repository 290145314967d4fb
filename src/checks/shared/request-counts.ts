import { type Json, listAt, numberAt } from "../../model/json.ts";

/** The users that an hour of an APIRequestCount names, once for each API server. */
export function usersOf(hour: Json): readonly Json[] {
  return listAt(hour, "byNode").flatMap((node) => listAt(node, "byUser"));
}

/** The requests of an hour, or of one of its users. */
export function requestsOf(counted: Json): number {
  return numberAt(counted, "requestCount") ?? 0;
}
