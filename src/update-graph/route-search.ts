import { isRecommended, type Route, type RouteBasis } from "../model/route.ts";
import { compareVersions, type Version } from "../model/version.ts";
import type { OfferedUpdate, UpdateGraph } from "./graph.ts";
import { matchesRequest, type TargetRequest } from "./target-request.ts";

/** The best way to a release: the fewest updates, then the fewest that are not recommended, then the newest releases on the way. */
type Way = { readonly updates: readonly OfferedUpdate[]; readonly conditionalCount: number };

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
  const steps = way.updates.map(({ release, recommendation }) => ({
    to: { kind: "release" as const, version: release.version, image: release.image, channels: release.channels },
    recommendation,
  }));
  return { basis, source, steps };
}

function selectNewest(ways: readonly Way[], request: TargetRequest): Way | undefined {
  const matching = ways.filter((way) => matchesRequest(request, getEnd(way)));
  return matching.toSorted((a, b) => compareVersions(getEnd(b), getEnd(a)))[0];
}

function getEnd(way: Way): Version {
  const end = way.updates.at(-1);
  if (end === undefined) throw new Error("a way has at least one update");
  return end.release.version;
}

/** The best way to each release, in layers: those one update away, those two away, and so on. */
function findWays(graph: UpdateGraph, source: Version, isUsable: (update: OfferedUpdate) => boolean): readonly Way[] {
  const ways = new Map<string, Way>();
  let layer: readonly Way[] = extendWay(graph, source.text, { updates: [], conditionalCount: 0 }, isUsable);
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
  { updates, conditionalCount }: Way,
  isUsable: (update: OfferedUpdate) => boolean,
): readonly Way[] {
  return (graph.updates.get(from) ?? []).filter(isUsable).map((update) => ({
    updates: [...updates, update],
    conditionalCount: conditionalCount + (isRecommended(update.recommendation) ? 0 : 1),
  }));
}

/** Ways of one length to one release: negative if a is better. */
function compareWays(a: Way, b: Way): number {
  if (a.conditionalCount !== b.conditionalCount) return a.conditionalCount - b.conditionalCount;
  for (let i = a.updates.length - 1; i >= 0; i--) {
    const [left, right] = [a.updates[i], b.updates[i]];
    if (left === undefined || right === undefined) continue;
    const order = compareVersions(right.release.version, left.release.version);
    if (order !== 0) return order;
  }
  return 0;
}
