import { FailedError, formatError, UsageError } from "../../model/errors.ts";
import { summarizeNames } from "../../model/names.ts";
import { isRecommended } from "../../model/route.ts";
import { compareVersions, type Version } from "../../model/version.ts";
import type { OfferedUpdate, UpdateGraph } from "../../release/graph/graph.ts";
import {
  formatRequest,
  matchesRequest,
  parseTargetRequest,
  type TargetRequest,
} from "../../release/graph/target-request.ts";
import { type SelectedTarget, selectFromGraph, selectOfferedUpdate } from "../../release/graph/target-selection.ts";
import type { ClusterSession } from "../client/connection.ts";
import { type ClusterUpdateFacts, requireClusterUpdateFacts } from "./cluster-update-facts.ts";
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
 * The release that a request names: in the update graph that was asked for by name; else among the updates that ClusterVersion lists, or in
 * the graph of its update service. Throws a UsageError if it is in none of them.
 */
export async function resolveTarget(
  request: TargetRequest,
  session: ClusterSession<GraphValues>,
): Promise<SelectedTarget> {
  const facts = await requireClusterUpdateFacts(session.reader, session.io.stopSignal);
  const offered = session.values.graph === undefined ? selectOfferedUpdate(facts.updates, request) : undefined;
  if (offered !== undefined) return offered;
  const read = await requireGraph(request, facts, session);
  const target = selectFromGraph(read, facts.source, facts.channel, request);
  if (target !== undefined) return target;
  throw new UsageError(describeAbsence(request, facts, read.updates.get(facts.source.text) ?? []));
}

/** Throws a FailedError that says how to do without the graph that can't be read. */
async function requireGraph(
  request: TargetRequest,
  facts: ClusterUpdateFacts,
  session: ClusterSession<GraphValues>,
): Promise<UpdateGraph> {
  const { readUpdateGraph } = await import("./graph-reader.ts");
  try {
    return await readUpdateGraph(request, facts, session);
  } catch (thrown) {
    if (!(thrown instanceof FailedError) || session.io.stopSignal.aborted) throw thrown;
    requireOtherRelease(request, facts);
    throw new FailedError(`${formatError(thrown)}; ${WITHOUT_GRAPH}`);
  }
}

const WITHOUT_GRAPH = "name a graph's file or another address with --graph, or the release's folder with --target";

/** Throws a UsageError if the cluster runs the release that is requested. */
export function requireOtherRelease(request: TargetRequest, { source }: ClusterUpdateFacts): void {
  if (isRunning(request, source)) throw new UsageError(describeRunning(source));
}

function isRunning(request: TargetRequest, source: Version): boolean {
  return request.kind === "release" && matchesRequest(request, source);
}

function describeRunning({ text }: Version): string {
  return `the cluster runs ${text} already: name a later release, or use --to latest`;
}

/** What the update service offers instead of the release that was requested. */
export function describeAbsence(
  request: TargetRequest,
  facts: ClusterUpdateFacts,
  updates: readonly OfferedUpdate[],
): string {
  const { source, channel } = facts;
  const offers = `the update service ${formatOffers(updates)}`;
  if (isRunning(request, source)) return `${describeRunning(source)}; ${offers}`;
  const where = channel === "" ? "without a channel" : `in the channel ${channel}`;
  return `no updates lead from ${source.text} to ${describeRequest(request, source)} ${where}: ${offers}`;
}

function describeRequest(request: TargetRequest, source: Version): string {
  if (request.kind === "latest") return "a later release";
  return `${matchesRequest(request, source) ? "a later release of " : ""}${formatRequest(request)}`;
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
