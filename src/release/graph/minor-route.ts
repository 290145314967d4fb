import type { Recommendation, Route, RouteStep, StepTarget } from "../../model/route.ts";
import type { MinorVersion, Version } from "../../model/version.ts";
import {
  compareVersions,
  findMinorsBetween,
  formatMinor,
  getMinorOrdinal,
  getUpdateKind,
} from "../../model/version.ts";
import type { OfferedUpdate } from "./graph.ts";
import { type TargetRequest, matchesRequest } from "./target-request.ts";

/** What is known without an update graph. */
export type RuleFacts = {
  readonly source: Version;
  /** The releases whose folders were given. */
  readonly available: readonly Version[];
  /** The updates that ClusterVersion lists. */
  readonly clusterUpdates: readonly OfferedUpdate[];
};

/**
 * The route by the rule that an update reaches the next minor at most: one update for each minor, to the newest release at hand.
 * Undefined if the request is "latest" and no release is at hand.
 */
export function buildRouteByRule(request: TargetRequest, facts: RuleFacts): Route | undefined {
  const { source } = facts;
  const end = selectEnd(request, facts);
  if (end === undefined) return undefined;
  const last = end.kind === "release" ? end.version : { ...end.minor, patch: 0, pre: [], text: `${end.text}.0` };
  const passed = findMinorsBetween(source, last).map(({ minor, text }) => selectInMinor(minor, text, facts));
  const targets = [...passed, end];
  const steps = targets.map((to, i): RouteStep => ({ to, recommendation: findRecommendation(to, i, facts) }));
  return { basis: "rule", source, steps };
}

function selectEnd(request: TargetRequest, facts: RuleFacts): StepTarget | undefined {
  if (request.kind === "release") return buildTarget(request.version);
  if (request.kind === "minor") {
    // 4.23 and 5.0 count as the same minor on the way, but as two as a target.
    const available = facts.available.filter((version) => matchesRequest(request, version));
    const clusterUpdates = facts.clusterUpdates.filter(({ release }) => matchesRequest(request, release.version));
    return selectInMinor(request.minor, formatMinor(request.minor), { ...facts, available, clusterUpdates });
  }
  const newest = selectNewest(facts.available.filter((version) => matchesRequest(request, version)));
  return newest && buildTarget(newest);
}

/** The newest release at hand of a minor, or of the minor with the same ordinal, that the cluster can be updated to. */
function selectInMinor(
  minor: MinorVersion,
  text: string,
  { source, available, clusterUpdates }: RuleFacts,
): StepTarget {
  const isUsable = (version: Version): boolean =>
    getMinorOrdinal(version) === getMinorOrdinal(minor) && getUpdateKind(source, version) !== "rollback";
  const newest =
    selectNewest(available.filter(isUsable)) ??
    selectNewest(clusterUpdates.map(({ release }) => release.version).filter(isUsable));
  if (newest === undefined) return { kind: "minor", minor, text };
  const listed = clusterUpdates.find(({ release }) => release.version.text === newest.text)?.release;
  return listed === undefined ? buildTarget(newest) : { kind: "release", ...listed };
}

function buildTarget(version: Version): StepTarget {
  return { kind: "release", version, channels: [] };
}

function selectNewest(versions: readonly Version[]): Version | undefined {
  return versions.toSorted((a, b) => compareVersions(b, a))[0];
}

/** ClusterVersion lists the updates from the running version only. */
function findRecommendation(to: StepTarget, index: number, { clusterUpdates }: RuleFacts): Recommendation {
  if (index > 0 || to.kind === "minor" || clusterUpdates.length === 0) return { kind: "unknown" };
  const listed = clusterUpdates.find(({ release }) => release.version.text === to.version.text);
  return listed?.recommendation ?? { kind: "notOffered" };
}

/**
 * Whether a route leads from an even minor of 4 to the next even one: then the pools of the other nodes may stay paused until its end, and
 * these nodes skip the odd minor.
 */
export function allowsControlPlaneOnly({ source, steps }: Route): boolean {
  const last = steps.at(-1)?.to;
  if (last === undefined || steps.length < 2) return false;
  const target = last.kind === "release" ? last.version : last.minor;
  return isEvenMinorOf4(source) && isEvenMinorOf4(target) && getMinorOrdinal(target) - getMinorOrdinal(source) === 2;
}

function isEvenMinorOf4({ major, minor }: MinorVersion): boolean {
  return major === 4 && minor % 2 === 0;
}
