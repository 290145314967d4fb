import { findCondition } from "./conditions.ts";
import { type JsonObject, listAt, textAt } from "./json.ts";
import { findRetrievalFailure } from "./update-retrieval.ts";

/** The updates that the update service offers to the cluster, as ClusterVersion lists them by version. */
export type ListedUpdates = {
  /** Those without conditions, or with ones that don't apply. */
  readonly available: readonly string[];
  readonly conditional: readonly string[];
  readonly channel: string;
  /** Whether the operator says that it has a current list: one that has just started says nothing. */
  readonly isRetrieved: boolean;
  /** Why the operator has no current list; "" if it has one. */
  readonly failure: string;
};

export function parseListedUpdates(clusterVersion: JsonObject): ListedUpdates {
  return {
    available: listAt(clusterVersion, "status", "availableUpdates").flatMap((one) => textAt(one, "version") ?? []),
    conditional: listAt(clusterVersion, "status", "conditionalUpdates").map(
      (update) => textAt(update, "release", "version") ?? "",
    ),
    channel: textAt(clusterVersion, "spec", "channel") ?? "",
    isRetrieved: textAt(findCondition(clusterVersion, "RetrievedUpdates"), "status") === "True",
    failure: findRetrievalFailure(clusterVersion) ?? "",
  };
}

export function isListed({ available, conditional }: ListedUpdates, version: string): boolean {
  return available.includes(version) || conditional.includes(version);
}
