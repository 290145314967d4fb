import { findCondition } from "../../model/conditions.ts";
import { type JsonObject, listAt, textAt } from "../../model/json.ts";
import { type OfferedRisk, parseOfferedRisks } from "./offered-risk.ts";

/** The updates that the update service offers to the cluster, as ClusterVersion lists them. */
export type Offers = {
  /** The versions offered without conditions, or with ones that don't apply. */
  readonly available: readonly string[];
  readonly conditional: readonly ConditionalUpdate[];
  readonly channel: string;
  /** Why the operator has no current list; "" if it has one. */
  readonly failure: string;
};

export type ConditionalUpdate = { readonly version: string; readonly risks: readonly OfferedRisk[] };

export function keepOffers(clusterVersion: JsonObject): Offers {
  const retrieved = findCondition(clusterVersion, "RetrievedUpdates");
  return {
    available: listAt(clusterVersion, "status", "availableUpdates").flatMap((one) => textAt(one, "version") ?? []),
    conditional: listAt(clusterVersion, "status", "conditionalUpdates").map((update) => ({
      version: textAt(update, "release", "version") ?? "",
      risks: parseOfferedRisks(clusterVersion, update),
    })),
    channel: textAt(clusterVersion, "spec", "channel") ?? "",
    failure: textAt(retrieved, "status") === "False" ? (textAt(retrieved, "reason") ?? "") : "",
  };
}
