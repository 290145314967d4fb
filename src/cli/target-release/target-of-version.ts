import { FailedError, UsageError } from "../../model/errors.ts";
import { summarizeNames } from "../../model/names.ts";
import { isRecommended } from "../../model/route.ts";
import { compareVersions, type Version } from "../../model/version.ts";
import type { OfferedUpdate } from "../../release/graph/graph.ts";
import {
  formatRequest,
  isKubernetesRequest,
  parseTargetRequest,
  type TargetRequest,
} from "../../release/graph/target-request.ts";
import { type SelectedTarget, selectFromGraph, selectOfferedUpdate } from "../../release/graph/target-selection.ts";
import type { ClusterSession } from "../client/connection.ts";
import { type ClusterUpdateFacts, readClusterUpdateFacts } from "./cluster-update-facts.ts";
import type { GraphValues } from "./graph-reader.ts";

export function requireTargetRequest(text: string): TargetRequest {
  const request = parseTargetRequest(text);
  if (request !== undefined) return request;
  throw new UsageError(`--to "${text}" is not a version: use a form such as 4.20.8, 4.20 or latest`);
}

/** Far more than any route through the releases has: each is checked, and its channel's graph read. */
const MAX_UPDATES = 100;

/** Throws a UsageError if a target is too many updates away. */
export function requireFewUpdates(updates: number, source: Version, request: TargetRequest): void {
  if (updates <= MAX_UPDATES) return;
  throw new UsageError(
    `--to ${formatRequest(request)} is more than ${MAX_UPDATES} updates away from ${source.text}: name a nearer release`,
  );
}

/**
 * The release that `to` names: in the update graph that was asked for by name; else among the updates that ClusterVersion lists, or in the
 * graph of its update service. Throws a UsageError if it is in none of them.
 */
export async function resolveTarget(to: string, session: ClusterSession<GraphValues>): Promise<SelectedTarget> {
  const request = requireTargetRequest(to);
  if (isKubernetesRequest(request))
    throw new UsageError(
      `--to ${to} is a version of Kubernetes, which has no update service: use --target-version ${to}`,
    );
  const facts = await readClusterUpdateFacts(session.reader, session.io.stopSignal);
  if (facts === undefined)
    throw new FailedError(
      "--to needs an OpenShift cluster, and this one has no ClusterVersion: use --target-version v1.36",
    );
  const offered = session.values.graph === undefined ? selectOfferedUpdate(facts.updates, request) : undefined;
  if (offered !== undefined) return offered;
  const { readUpdateGraph } = await import("./graph-reader.ts");
  const read = await readUpdateGraph(request, facts, session);
  const target = selectFromGraph(read, facts.source, facts.channel, request);
  if (target !== undefined) return target;
  throw new UsageError(describeAbsence(request, facts, read.updates.get(facts.source.text) ?? []));
}

/** What the update service offers instead of the release that was requested. */
export function describeAbsence(
  request: TargetRequest,
  facts: ClusterUpdateFacts,
  updates: readonly OfferedUpdate[],
): string {
  const channel = facts.channel === "" ? "without a channel" : `in the channel ${facts.channel}`;
  const what = request.kind === "latest" ? "a later release" : formatRequest(request);
  return `no updates lead from ${facts.source.text} to ${what} ${channel}: the update service ${formatOffers(updates)}`;
}

/** "recommends 4.19.12 and 4.18.30, and offers 4.19.13 with conditions", the newest first. */
function formatOffers(updates: readonly OfferedUpdate[]): string {
  const sorted = updates.toSorted((a, b) => compareVersions(b.release.version, a.release.version));
  const [recommended, conditional] = [true, false].map((expected) =>
    sorted
      .filter(({ recommendation }) => isRecommended(recommendation) === expected)
      .map(({ release }) => release.version.text),
  );
  const parts = [
    ...(recommended?.length ? [`recommends ${summarizeNames(recommended)}`] : []),
    ...(conditional?.length ? [`offers ${summarizeNames(conditional)} with conditions`] : []),
  ];
  return parts.length === 0 ? "offers no update" : parts.join(", and ");
}
