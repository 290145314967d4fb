import { type JsonObject, listAt, textAt } from "./json.ts";
import { judgeRetrieval, type UpdateRetrieval } from "./update-retrieval.ts";

/** The updates that the update service offers to the cluster, as ClusterVersion lists them by version. */
export type ListedUpdates = {
  /** Those without conditions, or with ones that don't apply. */
  readonly available: readonly string[];
  readonly conditional: readonly string[];
  readonly channel: string;
  readonly retrieval: UpdateRetrieval;
};

export function parseListedUpdates(clusterVersion: JsonObject): ListedUpdates {
  return {
    available: listAt(clusterVersion, "status", "availableUpdates").flatMap((one) => textAt(one, "version") ?? []),
    conditional: listAt(clusterVersion, "status", "conditionalUpdates").map(
      (update) => textAt(update, "release", "version") ?? "",
    ),
    channel: textAt(clusterVersion, "spec", "channel") ?? "",
    retrieval: judgeRetrieval(clusterVersion),
  };
}

export function isListed({ available, conditional }: ListedUpdates, version: string): boolean {
  return available.includes(version) || conditional.includes(version);
}
