import type { MinorVersion, Version } from "./version.ts";
import { formatCanonicalJson, type Json, type JsonObject, listAt, textAt } from "./json.ts";

/** Whether the conditions of an update concern the cluster, as far as its operator has evaluated them. */
export type Exposure = "exposed" | "notExposed" | "notEvaluated";

/** What the update service says of one update. `notOffered`: it doesn't list the update. `unknown`: it was not read. */
export type Recommendation =
  | { readonly kind: "recommended" }
  | { readonly kind: "conditional"; readonly risks: readonly PublishedRisk[]; readonly exposure: Exposure }
  | { readonly kind: "notOffered" }
  | { readonly kind: "unknown" };

/** A release as the update service lists it. */
export type ListedRelease = {
  readonly version: Version;
  /** Pull spec, by digest. */
  readonly image: string;
  /** The channels that have the release; empty if they are not known. */
  readonly channels: readonly string[];
};

/** One update of a route. */
export type RouteStep = {
  readonly to: StepTarget;
  readonly recommendation: Recommendation;
};

/** `minor`: only the minor is known, because no graph and no folder names a release of it. */
export type StepTarget =
  | {
      readonly kind: "release";
      readonly version: Version;
      readonly image?: string;
      readonly channels: readonly string[];
    }
  | { readonly kind: "minor"; readonly minor: MinorVersion; readonly text: string };

/** Where a route comes from: the update graph, the updates that ClusterVersion lists, or the rule that no update skips a minor. */
export type RouteBasis = "graph" | "clusterVersion" | "rule";

/** The updates that lead from the cluster's version to a target, in their order. */
export type Route = { readonly basis: RouteBasis; readonly source: Version; readonly steps: readonly RouteStep[] };

/** Whether the update service recommends an update: without conditions, or with ones that don't concern the cluster. */
export function isRecommended(recommendation: Recommendation): boolean {
  if (recommendation.kind === "conditional") return recommendation.exposure === "notExposed";
  return recommendation.kind === "recommended";
}

/** "4.19.12", or "4.19" if only the minor is known. */
export function formatStepTarget(target: StepTarget): string {
  return target.kind === "release" ? target.version.text : target.text;
}

/** How the update service offers a target to a cluster. */
export type TargetOffer = {
  readonly recommendation: Recommendation;
  /** How many updates of the graph lead to the target; absent if none do. */
  readonly updates?: number;
  /** The channel that offers the target, if the cluster is not subscribed to it. */
  readonly channel?: string;
};

/** The minors that an update passes if it is not known to be offered as one. Each of them then needs an update of its own. */
export type MinorsBetween = {
  readonly names: readonly string[];
  /** The channel in which it is not offered, if others were not asked. */
  readonly channel?: string;
  /** Why nobody knows whether the update is offered as one; absent if it is not. */
  readonly unknown?: string;
};

/** A risk that the update service publishes for an update. */
export type PublishedRisk = {
  readonly name: string;
  readonly message: string;
  readonly url: string;
  /** As published, for example `{type: Always}`. The first one that can be evaluated decides. */
  readonly matchingRules: readonly Json[];
};

export function parsePublishedRisk(risk: JsonObject): PublishedRisk {
  return {
    name: textAt(risk, "name") ?? "",
    message: textAt(risk, "message") ?? "",
    url: textAt(risk, "url") ?? "",
    matchingRules: listAt(risk, "matchingRules"),
  };
}

/** Whether a risk is published for every cluster: there is nothing to evaluate. */
export function isUnconditional({ matchingRules }: Pick<PublishedRisk, "matchingRules">): boolean {
  return textAt(matchingRules[0], "type") === "Always";
}

/** Whether an evaluation of one risk is one of the other too: they have the same name and the same rules. */
export function hasSameRules(a: PublishedRisk, b: PublishedRisk): boolean {
  return a.name === b.name && formatCanonicalJson(a.matchingRules) === formatCanonicalJson(b.matchingRules);
}
