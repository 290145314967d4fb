import { type JsonObject, listAt, textAt, numberAt } from "./json.ts";
import { findCondition } from "./object.ts";
import { quote, toStableText } from "./text.ts";

/** The version that the cluster runs: that of its last completed update, or of its installation. */
export function findRunningVersion(clusterVersion: JsonObject): string | undefined {
  const history = listAt(clusterVersion, "status", "history");
  const completed = history.find((entry) => textAt(entry, "state") === "Completed");
  return textAt(completed, "version") ?? textAt(clusterVersion, "status", "desired", "version");
}

/** Whether an update or the installation is in progress, which invalidates every preflight's result. */
export function isUpdating(clusterVersion: JsonObject): boolean {
  return textAt(clusterVersion, "status", "history", 0, "state") === "Partial";
}

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

/** Whether ClusterVersion's lists of updates are what its operator retrieved: only then a version that they lack is absent. */
export type UpdateRetrieval =
  | { readonly kind: "retrieved" }
  /** `why`: a clause. `failure`: the operator's reason, if it could not retrieve them, and `since` when. */
  | { readonly kind: "unknown"; readonly why: string; readonly failure?: string; readonly since?: string };

/** The channel and the update service that ClusterVersion asks for. */
export type UpdateSource = { readonly channel: string; readonly upstream: string };

const MAX_QUOTE_LENGTH = 300;

export function getUpdateSource(clusterVersion: JsonObject): UpdateSource {
  return {
    channel: textAt(clusterVersion, "spec", "channel") ?? "",
    upstream: textAt(clusterVersion, "spec", "upstream") ?? "",
  };
}

/** Whether the operator has seen the spec, and its lists are not those of another channel for that reason. */
export function coversSpec(clusterVersion: JsonObject): boolean {
  const generation = numberAt(clusterVersion, "metadata", "generation") ?? 0;
  return (numberAt(clusterVersion, "status", "observedGeneration") ?? 0) >= generation;
}

export function isSameSource(a: UpdateSource, b: UpdateSource): boolean {
  return a.channel === b.channel && a.upstream === b.upstream;
}

/** Why the operator has no current lists, as the reason of RetrievedUpdates=False; undefined unless it says so. */
export function findRetrievalFailure(clusterVersion: JsonObject): string | undefined {
  const retrieved = findCondition(clusterVersion, "RetrievedUpdates");
  return textAt(retrieved, "status") === "False" ? (textAt(retrieved, "reason") ?? "") : undefined;
}

/**
 * `before`: what ClusterVersion asked for when it listed the version or before its last change, if it listed the version and that is known.
 * Lists that are empty after a change may not be retrieved yet.
 */
export function judgeRetrieval(clusterVersion: JsonObject, before?: UpdateSource | "unknown"): UpdateRetrieval {
  if (!coversSpec(clusterVersion))
    return { kind: "unknown", why: "ClusterVersion's status doesn't cover its latest spec yet" };
  const retrieved = findCondition(clusterVersion, "RetrievedUpdates");
  if (retrieved === undefined) return { kind: "unknown", why: "ClusterVersion has no condition RetrievedUpdates" };
  if (textAt(retrieved, "status") !== "True")
    return {
      kind: "unknown",
      why: describeFailure(retrieved),
      failure: findRetrievalFailure(clusterVersion),
      since: textAt(retrieved, "lastTransitionTime"),
    };
  const change = before && !hasUpdates(clusterVersion) ? describeChange(before, getUpdateSource(clusterVersion)) : "";
  return change === "" ? { kind: "retrieved" } : { kind: "unknown", why: change };
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
  return isSameSource(before, now) ? "" : "ClusterVersion lists no update since its update service changed";
}
