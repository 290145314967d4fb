import { isRecommended, type ListedRelease, type TargetOffer } from "../../model/route.ts";
import { compareVersions, type Version } from "../../model/version.ts";
import { findRecommendation, type OfferedUpdate, type UpdateGraph } from "./graph.ts";
import { findRoute } from "./route-search.ts";
import { matchesRequest, type TargetRequest } from "./target-request.ts";
import { findNeededChannel } from "./update-service.ts";

/** A release that a request names, and how it is offered. */
export type SelectedTarget = { readonly release: ListedRelease; readonly offer: TargetOffer };

/** The newest recommended update that the request names, or the newest with conditions if none is recommended. */
export function selectOfferedUpdate(
  updates: readonly OfferedUpdate[],
  request: TargetRequest,
): SelectedTarget | undefined {
  const matching = updates
    .filter(({ release }) => matchesRequest(request, release.version))
    .toSorted((a, b) => compareVersions(b.release.version, a.release.version));
  const update = matching.find(({ recommendation }) => isRecommended(recommendation)) ?? matching[0];
  return update && { release: update.release, offer: { recommendation: update.recommendation, updates: 1 } };
}

/** The end of the route to the request's release; or, of the graph, a release that the request names in full. */
export function selectFromGraph(
  graph: UpdateGraph,
  source: Version,
  channel: string,
  request: TargetRequest,
): SelectedTarget | undefined {
  const steps = findRoute(graph, source, request, "graph")?.steps ?? [];
  const last = steps.at(-1)?.to;
  const text = last?.kind === "release" ? last.version.text : request.kind === "release" ? request.version.text : "";
  const release = graph.releases.get(text);
  if (release === undefined) return undefined;
  // A route may avoid an update with conditions; they are published for the update to this release all the same.
  const recommendation = findRecommendation(graph, source.text, text);
  const updates = recommendation.kind === "notOffered" ? steps.length : 1;
  return {
    release,
    offer: {
      recommendation,
      updates: updates === 0 ? undefined : updates,
      channel: findNeededChannel(channel, release.channels, release.version),
    },
  };
}
