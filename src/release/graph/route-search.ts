import { isRecommended, type Route, type RouteBasis } from "../../model/route.ts";
import { compareVersions, type Version } from "../../model/version.ts";
import type { OfferedUpdate, UpdateGraph } from "./graph.ts";
import { matchesRequest, type TargetRequest } from "./target-request.ts";

/** The best way to a release: the fewest updates, then the fewest that are not recommended, then the newest releases on the way. */
type Way = {
  /** Undefined before the first update. Ways share their beginnings, so that a long one takes no more memory than its last update. */
  readonly previous: Way | undefined;
  readonly update: OfferedUpdate;
  readonly conditionalCount: number;
};

/**
 * The route to the newest release that the request names. A route whose updates are all recommended comes before any other, even if it
 * has more of them. Undefined if no updates of the graph lead there.
 */
export function findRoute(
  graph: UpdateGraph,
  source: Version,
  request: TargetRequest,
  basis: RouteBasis,
): Route | undefined {
  const recommended = findWays(graph, source, ({ recommendation }) => isRecommended(recommendation));
  const way =
    selectNewest(recommended, request) ??
    selectNewest(
      findWays(graph, source, () => true),
      request,
    );
  if (way === undefined) return undefined;
  const steps = listUpdates(way).map(({ release, recommendation }) => ({
    to: { kind: "release" as const, version: release.version, image: release.image, channels: release.channels },
    recommendation,
  }));
  return { basis, source, steps };
}

function selectNewest(ways: readonly Way[], request: TargetRequest): Way | undefined {
  const matching = ways.filter((way) => matchesRequest(request, getEnd(way)));
  return matching.toSorted((a, b) => compareVersions(getEnd(b), getEnd(a)))[0];
}

function getEnd({ update }: Way): Version {
  return update.release.version;
}

function listUpdates(way: Way): readonly OfferedUpdate[] {
  const updates: OfferedUpdate[] = [];
  for (let at: Way | undefined = way; at !== undefined; at = at.previous) updates.push(at.update);
  return updates.toReversed();
}

/** The best way to each release, in layers: those one update away, those two away, and so on. */
function findWays(graph: UpdateGraph, source: Version, isUsable: (update: OfferedUpdate) => boolean): readonly Way[] {
  const ways = new Map<string, Way>();
  let layer: readonly Way[] = extendWay(graph, source.text, undefined, isUsable);
  while (layer.length > 0) {
    const best = new Map<string, Way>();
    for (const way of layer) {
      const { text } = getEnd(way);
      const known = best.get(text);
      const isNew = text !== source.text && !ways.has(text);
      if (isNew && (known === undefined || compareWays(way, known) < 0)) best.set(text, way);
    }
    for (const [text, way] of best) ways.set(text, way);
    layer = [...best].flatMap(([text, way]) => extendWay(graph, text, way, isUsable));
  }
  return [...ways.values()];
}

function extendWay(
  graph: UpdateGraph,
  from: string,
  previous: Way | undefined,
  isUsable: (update: OfferedUpdate) => boolean,
): readonly Way[] {
  return (graph.updates.get(from) ?? []).filter(isUsable).map((update) => ({
    previous,
    update,
    conditionalCount: (previous?.conditionalCount ?? 0) + (isRecommended(update.recommendation) ? 0 : 1),
  }));
}

/** Ways of one length to one release: negative if a is better. */
function compareWays(a: Way, b: Way): number {
  if (a.conditionalCount !== b.conditionalCount) return a.conditionalCount - b.conditionalCount;
  // Their beginnings are one way if they pass one release.
  for (let left: Way | undefined = a, right: Way | undefined = b; left && right && left !== right;) {
    const order = compareVersions(getEnd(right), getEnd(left));
    if (order !== 0) return order;
    [left, right] = [left.previous, right.previous];
  }
  return 0;
}
