import { FailedError, formatError, UsageError } from "../../../model/errors.ts";
import type { Route } from "../../../model/route.ts";
import type { UpdateGraph } from "../../../release/graph/graph.ts";
import { buildRouteByRule } from "../../../release/graph/minor-route.ts";
import { findRoute } from "../../../release/graph/route-search.ts";
import { isKubernetesRequest, matchesRequest, type TargetRequest } from "../../../release/graph/target-request.ts";
import { type SelectedTarget, selectOfferedUpdate } from "../../../release/graph/target-selection.ts";
import {
  type ClusterUpdateFacts,
  readKubernetesVersion,
  requireClusterUpdateFacts,
} from "../../target-release/cluster-update-facts.ts";
import {
  describeAbsence,
  requireFewUpdates,
  requireOtherRelease,
  requireTargetRequest,
} from "../../target-release/target-of-version.ts";
import { toLine } from "../../../model/visible-text.ts";
import type { PlanSession, ReleaseFolder } from "./plan-session.ts";

/** A route, and the channel of the cluster; "" if it has none. */
export type ClusterRoute = { readonly route: Route; readonly channel: string };

/** The route that --to asks for. Throws a UsageError if there is none. */
export async function readRoute(session: PlanSession): Promise<ClusterRoute> {
  const request = requireTargetRequest(session.values.to);
  const read = isKubernetesRequest(request) ? readKubernetesRoute : readClusterRoute;
  const found = await read(request, session);
  requireFewUpdates(found.route.steps.length, found.route.source, request);
  return found;
}

async function readKubernetesRoute(request: TargetRequest, { reader, io }: PlanSession): Promise<ClusterRoute> {
  const source = await readKubernetesVersion(reader, io.stopSignal);
  const route = requireRoute(buildRouteByRule(request, { source, available: [], clusterUpdates: [] }));
  return { route, channel: "" };
}

async function readClusterRoute(request: TargetRequest, session: PlanSession): Promise<ClusterRoute> {
  const facts = await requireClusterUpdateFacts(session.reader, session.io.stopSignal);
  return { route: await readOpenShiftRoute(request, facts, session), channel: facts.channel };
}

async function readOpenShiftRoute(
  request: TargetRequest,
  facts: ClusterUpdateFacts,
  session: PlanSession,
): Promise<Route> {
  const { graph, folders } = session.values;
  const direct = graph === undefined ? selectOfferedUpdate(facts.updates, request) : undefined;
  if (direct !== undefined && !hasOtherRelease(folders, request, direct)) return buildDirectRoute(facts, direct);
  const byRule = (): Route => {
    requireOtherRelease(request, facts);
    return requireRoute(buildRouteByRule(request, toRuleFacts(facts, folders)));
  };
  // Folders are for a place without an update service.
  if (graph === undefined && folders.length > 0) return byRule();
  const read = await tryReadGraph(request, facts, session);
  if (read === undefined) return byRule();
  const route = findRoute(read, facts.source, request, "graph");
  if (route !== undefined) return route;
  throw new UsageError(describeAbsence(request, facts, read.updates.get(facts.source.text) ?? []));
}

/** Whether a folder has another release that the request names: somebody wants that one. */
function hasOtherRelease(
  folders: readonly ReleaseFolder[],
  request: TargetRequest,
  { release }: SelectedTarget,
): boolean {
  const matching = folders.filter(({ version }) => matchesRequest(request, version));
  return matching.length > 0 && matching.every(({ version }) => version.text !== release.version.text);
}

function buildDirectRoute(facts: ClusterUpdateFacts, { release, offer }: SelectedTarget): Route {
  const step = { to: { kind: "release" as const, ...release }, recommendation: offer.recommendation };
  return { basis: "clusterVersion", source: facts.source, steps: [step] };
}

function toRuleFacts({ source, updates }: ClusterUpdateFacts, folders: readonly ReleaseFolder[]) {
  return { source, available: folders.map(({ version }) => version), clusterUpdates: updates };
}

function requireRoute(route: Route | undefined): Route {
  if (route !== undefined) return route;
  throw new UsageError("--to latest needs an update graph: give a version, such as --to 4.20");
}

/** A graph that was asked for by name has to be readable; without the default one, the rule is left. */
async function tryReadGraph(
  request: TargetRequest,
  facts: ClusterUpdateFacts,
  session: PlanSession,
): Promise<UpdateGraph | undefined> {
  const { readUpdateGraph } = await import("../../target-release/graph-reader.ts");
  try {
    return await readUpdateGraph(request, facts, session);
  } catch (thrown) {
    const { values, io } = session;
    if (values.graph !== undefined || !(thrown instanceof FailedError) || io.stopSignal.aborted) throw thrown;
    io.err(`preflight: ${toLine(formatError(thrown))}; the route follows the rule that no update skips a minor\n`);
    return undefined;
  }
}
