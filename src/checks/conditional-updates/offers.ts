import { findCondition } from "../../model/conditions.ts";
import { type EvaluatedRisk, parseEvaluatedRisks } from "../../model/evaluated-risk.ts";
import { type JsonObject, listAt, textAt } from "../../model/json.ts";

/** The updates that the update service offers to the cluster, as ClusterVersion lists them. */
export type Offers = {
  /** The versions offered without conditions, or with ones that don't apply. */
  readonly available: readonly string[];
  /** The versions offered with conditions. */
  readonly conditional: readonly string[];
  /** The conditions of all offered updates, as the operator has evaluated them. */
  readonly evaluatedRisks: readonly EvaluatedRisk[];
  /** The risks that an administrator accepted for the next update (spec.desiredUpdate.acceptRisks). */
  readonly acceptedNames: readonly string[];
  readonly channel: string;
  /** Why the operator has no current list; "" if it has one. */
  readonly failure: string;
};

export function keepOffers(clusterVersion: JsonObject): Offers {
  const retrieved = findCondition(clusterVersion, "RetrievedUpdates");
  return {
    available: listAt(clusterVersion, "status", "availableUpdates").flatMap((one) => textAt(one, "version") ?? []),
    conditional: listAt(clusterVersion, "status", "conditionalUpdates").map(
      (update) => textAt(update, "release", "version") ?? "",
    ),
    evaluatedRisks: parseEvaluatedRisks(clusterVersion),
    acceptedNames: listAt(clusterVersion, "spec", "desiredUpdate", "acceptRisks").flatMap(
      (one) => textAt(one, "name") ?? [],
    ),
    channel: textAt(clusterVersion, "spec", "channel") ?? "",
    failure: textAt(retrieved, "status") === "False" ? (textAt(retrieved, "reason") ?? "") : "",
  };
}
