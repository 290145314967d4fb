import { FailedError, formatError, UsageError } from "../../../model/errors.ts";
import { type Route, type RouteStep, formatStepTarget } from "../../../model/route.ts";
import type { UpdateGraph } from "../../../release/graph/graph.ts";
import { buildRouteByRule } from "../../../release/graph/minor-route.ts";
import { findRoute } from "../../../release/graph/route-search.ts";
import { isKubernetesRequest, matchesRequest, type TargetRequest } from "../../../release/graph/target-request.ts";
import { type SelectedTarget, selectOfferedUpdate } from "../../../release/graph/target-selection.ts";
import {
  type ClusterUpdateFacts,
  readKubernetesVersion,
  requireClusterUpdateFacts,
  describeAbsence,
  requireFewUpdates,
  requireOtherRelease,
  requireTargetRequest,
} from "../../target-release/target-of-version.ts";
import { toLine } from "../../../model/visible-text.ts";
import type { PlanSession, ReleaseFolder } from "./cluster-plan.ts";
import type { ImageVerification } from "../../../model/release.ts";
import { type Platform, type Version, getPlatform } from "../../../model/version.ts";
import { readPayload } from "../../../release/payload/payload-reader.ts";
import type { StepRelease } from "../../../runner/plan-cycles.ts";
import { readListedImage } from "../../target-release/image-target.ts";
import {
  buildTarget,
  buildVersionTarget,
  printSkipped,
  readTarget,
  type TargetWithWarnings,
  withVerification,
} from "../../target-release/target.ts";

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
  const { readUpdateGraph } = await import("../../target-release/update-graph.ts");
  try {
    return await readUpdateGraph(request, facts, session);
  } catch (thrown) {
    const { values, io } = session;
    if (values.graph !== undefined || !(thrown instanceof FailedError) || io.stopSignal.aborted) throw thrown;
    io.err(`preflight: ${toLine(formatError(thrown))}; the route follows the rule that no update skips a minor\n`);
    return undefined;
  }
}

/** For each step a function that reads its release, so that no more than a few are in memory at a time. */
export function buildStepReaders(
  { source, steps }: Route,
  session: PlanSession,
): readonly (() => Promise<StepRelease>)[] {
  const platform = getPlatform(source);
  return steps.map((step) => async () => {
    const target = await readStepTarget(step, platform, session);
    if (target.kind !== "absent") printSkipped(target.warnings, session.io);
    return target.kind === "read" ? { ...target, recommendation: step.recommendation } : target;
  });
}

type AbsentRelease = Extract<StepRelease, { readonly kind: "absent" }>;

async function readStepTarget(
  { to }: RouteStep,
  platform: Platform,
  session: PlanSession,
): Promise<TargetWithWarnings | AbsentRelease> {
  const text = formatStepTarget(to);
  if (platform === "kubernetes") return readTarget({ folders: [], version: text, image: undefined });
  if (to.kind === "minor") {
    const how = "give its folder with --release DIR, or an update graph with --graph";
    return { kind: "absent", message: `no release of ${text} is at hand: ${how}` };
  }
  const { version, image } = to;
  const { folders, graph } = session.values;
  const folder = folders.find((one) => one.version.text === text);
  if (folder !== undefined) return buildTarget(await readPayload(folder.path));
  // Folders without a graph are for a place without an update service and its registry.
  const readsImages = folders.length === 0 || graph !== undefined;
  if (image === undefined || !readsImages) return buildUnreadTarget(version, image, NO_FOLDER);
  const target = await readListedImage({ version, image }, session);
  return target.kind === "failed" ? buildUnreadTarget(version, image, target.failure.message) : target;
}

const NO_FOLDER = "no folder with its manifests was given: set one with --release DIR";

/** The checks that need no manifests still run, and the other steps too. */
function buildUnreadTarget(version: Version, image: string | undefined, why: string): TargetWithWarnings {
  const target = buildVersionTarget(version, image, why);
  return image === undefined ? target : withVerification(target, UNREAD);
}

const UNREAD: ImageVerification = {
  status: "Unknown",
  message: "could not be verified: the release image was not read",
};
