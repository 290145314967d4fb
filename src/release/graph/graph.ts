import { type EvaluatedRisk, findEvaluation } from "../../model/cluster-version-risks.ts";
import type { Exposure, ListedRelease, Recommendation } from "../../model/route.ts";

/** An update that the update service offers from one version. */
export type OfferedUpdate = { readonly release: ListedRelease; readonly recommendation: Recommendation };

/** What the update service offers: releases by version, and the updates from each version. */
export type UpdateGraph = {
  readonly releases: ReadonlyMap<string, ListedRelease>;
  readonly updates: ReadonlyMap<string, readonly OfferedUpdate[]>;
};

/** One graph of several channels' graphs. An update that one of them offers with conditions has these conditions. */
export function mergeGraphs(graphs: readonly UpdateGraph[]): UpdateGraph {
  const releases = new Map(graphs.flatMap((graph) => [...graph.releases]));
  const sources = new Set(graphs.flatMap(({ updates }) => [...updates.keys()]));
  const updates = new Map(
    [...sources].map((source) => {
      const offered = graphs.flatMap((graph) => graph.updates.get(source) ?? []);
      return [source, mergeUpdates(offered)] as const;
    }),
  );
  return { releases, updates };
}

/** The graph with the updates that ClusterVersion lists: they replace the same updates of the graph, because the operator evaluated them. */
export function addClusterUpdates(
  graph: UpdateGraph,
  source: string,
  clusterUpdates: readonly OfferedUpdate[],
): UpdateGraph {
  const listed = new Set(clusterUpdates.map(({ release }) => release.version.text));
  const others = (graph.updates.get(source) ?? []).filter(({ release }) => !listed.has(release.version.text));
  return {
    releases: new Map([
      ...graph.releases,
      ...clusterUpdates.map(({ release }) => [release.version.text, release] as const),
    ]),
    updates: new Map([...graph.updates, [source, [...clusterUpdates, ...others]]]),
  };
}

/** The graph with the updates that ClusterVersion lists and the graph lacks: what the graph says of the others counts. */
export function addMissingUpdates(
  graph: UpdateGraph,
  source: string,
  clusterUpdates: readonly OfferedUpdate[],
): UpdateGraph {
  const known = new Set((graph.updates.get(source) ?? []).map(({ release }) => release.version.text));
  const missing = clusterUpdates.filter(({ release }) => !known.has(release.version.text));
  return addClusterUpdates(graph, source, missing);
}

/** The graph with what the operator has evaluated of the conditions of updates from `source`, in whichever update it met them. */
export function addEvaluations(
  graph: UpdateGraph,
  source: string,
  evaluatedRisks: readonly EvaluatedRisk[],
): UpdateGraph {
  const offered = (graph.updates.get(source) ?? []).map(({ release, recommendation }): OfferedUpdate => {
    if (recommendation.kind !== "conditional") return { release, recommendation };
    const exposure = findExposure(recommendation, release.version.text, evaluatedRisks);
    return { release, recommendation: { ...recommendation, exposure } };
  });
  return { ...graph, updates: new Map([...graph.updates, [source, offered]]) };
}

function findExposure(
  { risks }: Extract<Recommendation, { kind: "conditional" }>,
  version: string,
  evaluatedRisks: readonly EvaluatedRisk[],
): Exposure {
  const evaluations = risks.map((risk) => findEvaluation(risk, version, evaluatedRisks));
  if (evaluations.includes("yes")) return "exposed";
  return evaluations.includes("unknown") ? "notEvaluated" : "notExposed";
}

/** What the graph says of one update. */
export function findRecommendation({ updates }: UpdateGraph, source: string, target: string): Recommendation {
  const update = updates.get(source)?.find(({ release }) => release.version.text === target);
  return update?.recommendation ?? { kind: "notOffered" };
}

function mergeUpdates(offered: readonly OfferedUpdate[]): readonly OfferedUpdate[] {
  const byVersion = new Map<string, OfferedUpdate>();
  for (const update of offered) {
    const { text } = update.release.version;
    const known = byVersion.get(text);
    if (known?.recommendation.kind !== "conditional") byVersion.set(text, update);
  }
  return [...byVersion.values()];
}
