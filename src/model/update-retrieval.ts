import type { Unknown } from "./check.ts";
import { findCondition } from "./conditions.ts";
import { type JsonObject, listAt, numberAt, textAt } from "./json.ts";
import { defined } from "./optional.ts";
import { quote } from "./quote.ts";
import { toStableText } from "./stable-text.ts";

/** Whether ClusterVersion's lists of updates are what its operator retrieved: only then a version that they lack is absent. */
export type UpdateRetrieval =
  | { readonly kind: "retrieved" }
  /** `since`: when the operator first failed to retrieve them, if it says so. */
  | { readonly kind: "unknown"; readonly unknown: Unknown; readonly since?: string };

/** The channel and the update service that ClusterVersion asks for. */
export type UpdateSource = { readonly channel: string; readonly upstream: string };

const WHERE = "ClusterVersion version";
const MAX_QUOTE_LENGTH = 300;

export function getUpdateSource(clusterVersion: JsonObject): UpdateSource {
  return {
    channel: textAt(clusterVersion, "spec", "channel") ?? "",
    upstream: textAt(clusterVersion, "spec", "upstream") ?? "",
  };
}

/** Why the operator has no current lists, as the reason of RetrievedUpdates=False; undefined unless it says so. */
export function findRetrievalFailure(clusterVersion: JsonObject): string | undefined {
  const retrieved = findCondition(clusterVersion, "RetrievedUpdates");
  return textAt(retrieved, "status") === "False" ? (textAt(retrieved, "reason") ?? "") : undefined;
}

/**
 * `before`: what ClusterVersion asked for when it last listed the version, if it did and that is known. Lists that are empty after a change
 * may not be retrieved yet.
 */
export function judgeRetrieval(clusterVersion: JsonObject, before?: UpdateSource | "unknown"): UpdateRetrieval {
  const generation = numberAt(clusterVersion, "metadata", "generation") ?? 0;
  if ((numberAt(clusterVersion, "status", "observedGeneration") ?? 0) < generation)
    return buildUnknown("StaleStatus", "ClusterVersion's status doesn't cover its latest spec yet");
  const retrieved = findCondition(clusterVersion, "RetrievedUpdates");
  if (retrieved === undefined) return buildUnknown("NotReported", "ClusterVersion has no condition RetrievedUpdates");
  if (textAt(retrieved, "status") !== "True")
    return {
      ...buildUnknown("NotReported", describeFailure(retrieved)),
      ...defined({ since: textAt(retrieved, "lastTransitionTime") }),
    };
  const change = before && !hasUpdates(clusterVersion) ? describeChange(before, getUpdateSource(clusterVersion)) : "";
  return change === "" ? { kind: "retrieved" } : buildUnknown("StaleStatus", change);
}

function buildUnknown(reason: Unknown["reason"], message: string) {
  return { kind: "unknown", unknown: { reason, where: WHERE, message } } as const;
}

/** The same text for one failure, whatever ports the operator's connections had. */
function describeFailure(retrieved: JsonObject): string {
  const [status, reason, message] = ["status", "reason", "message"].map((key) => textAt(retrieved, key) ?? "");
  const why = [reason, quote(toStableText(message ?? ""), MAX_QUOTE_LENGTH)].filter(Boolean).join(": ");
  return `the cluster-version operator could not retrieve the updates (RetrievedUpdates=${status}${why === "" ? "" : `, ${why}`})`;
}

function hasUpdates(clusterVersion: JsonObject): boolean {
  return ["availableUpdates", "conditionalUpdates"].some((key) => listAt(clusterVersion, "status", key).length > 0);
}

function describeChange(before: UpdateSource | "unknown", now: UpdateSource): string {
  if (before === "unknown") return "ClusterVersion lists no update, and which channel it had before is not known";
  if (before.channel !== now.channel)
    return `ClusterVersion lists no update since its channel changed from "${before.channel}" to "${now.channel}"`;
  return before.upstream === now.upstream ? "" : "ClusterVersion lists no update since its update service changed";
}
