import { type Json, listAt, numberAt } from "../../model/json.ts";

/** Of an hour of an APIRequestCount: the users that the cluster counts by name, which are only the most active ones. */
export function usersOf(hour: Json): readonly Json[] {
  return listAt(hour, "byNode").flatMap((node) => listAt(node, "byUser"));
}

/** Of an hour, or of one of its users. */
export function requestsOf(counted: Json): number {
  return numberAt(counted, "requestCount") ?? 0;
}

/** An hour's requests without those of some of its users. */
export function countOtherRequests(hour: Json, isLeftOut: (user: Json) => boolean = () => true): number {
  return usersOf(hour)
    .filter(isLeftOut)
    .reduce<number>((count, user) => count - requestsOf(user), requestsOf(hour));
}
