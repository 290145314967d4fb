import {
  CONFIG_MAPS,
  REQUEST,
  RESULT,
  CONTROLLER_LEASE,
  LEASES,
  NAMESPACE_PODS,
  NODES,
} from "../../../controller/api/api-paths.ts";
import { type DesiredPreflight, getDesiredPreflight, findPinnedTarget } from "../../../controller/desired-preflight.ts";
import { hasFailureDeadline } from "../../../controller/failure-deadline.ts";
import {
  type PreflightRequest,
  buildRequestEdit,
  getWindowPhase,
  parseRequest,
  REQUEST_KEYS,
  RUNNER_KEYS,
} from "../../../lift/objects/preflight-request.ts";
import type { Edit } from "../../../lift/objects/cluster-version-edit.ts";
import { resolvePayload, type RequestedPayload } from "../../../lift/objects/payload.ts";
import { findRunningVersion, isUpdating } from "../../../model/cluster-version.ts";
import { FailedError, UsageError } from "../../../model/errors.ts";
import type { RequestValues } from "./definition.ts";
import {
  type ClusterClient,
  readClusterVersion,
  refuseHosted,
  retryOnConflict,
  withCluster,
  readControllerPresence,
} from "../../client/cluster-client.ts";
import { type Io, warn } from "../../io/io.ts";
import { findHolder } from "../../../controller/leader-election.ts";
import { findMisplacement } from "../../../controller/observation.ts";
import { listAt, textAt } from "../../../model/json.ts";
import { toLine } from "../../../model/visible-text.ts";

/** Requests a preflight with a ConfigMap. Does not write ClusterVersion, so that no update can start. */
export async function run(values: RequestValues, io: Io): Promise<0> {
  const preflightRequest = buildRequest(values);
  if (getWindowPhase(preflightRequest, io.now()) === "over") throw new UsageError("--until is in the past");
  return withCluster(values, io, async (cluster) => {
    const clusterVersion = await readClusterVersion(cluster);
    await refuseHosted(cluster, "No controller serves requests here: 'preflight check --to VERSION' checks the update");
    if (isUpdating(clusterVersion))
      throw new FailedError("the cluster is updating, which ends every preflight: request one after the update");
    const present = await cluster.read(REQUEST);
    const result = await cluster.read(RESULT);
    const observed = { clusterVersion, request: present, result };
    const payload = resolveRequest(preflightRequest, observed, io.now());
    if (payload.kind === "refused") throw new FailedError(payload.message);
    const selector = await judgeNodeSelector(preflightRequest, cluster, io.now());
    if (selector.kind === "refused") throw new FailedError(selector.message);
    if (selector.kind === "warning") io.err(`warning: ${selector.message}\n`);
    const isRestart = hasFailureDeadline(result) || hasOtherImage(getDesiredPreflight(observed, io.now()));
    const buildEdit = async (): Promise<Edit> =>
      buildRequestEdit(await cluster.read(REQUEST), preflightRequest, { now: io.now(), isRestart });
    const isNew = await retryOnConflict(cluster, buildEdit, CONFIG_MAPS, REQUEST);
    const versions = `${findRunningVersion(clusterVersion) ?? "this cluster's version"} to ${payload.version ?? payload.image}`;
    io.out(
      isNew
        ? `Requested a preflight from ${versions}.\n`
        : `info: A preflight from ${versions} is already requested.\n`,
    );
    if (payload.kind === "notOffered") io.err(`info: ${payload.message} Only 'preflight status' shows its risks.\n`);
    if (values["allow-unverified"])
      warn("The release image runs on a control-plane node even if the cluster can't verify its signature.", io);
    await warnOfMissingController(cluster, io);
    return 0;
  });
}

type Observed = Parameters<typeof getDesiredPreflight>[0];

/** As the controller will resolve it: without current lists of updates, by the image that was offered before. */
function resolveRequest({ target }: PreflightRequest, observed: Observed, now: Date): RequestedPayload {
  const pinned = target.kind === "version" ? findPinnedTarget(observed, target.version, "") : undefined;
  return resolvePayload(observed.clusterVersion, target, pinned, now);
}

/** Whether the present request checks another image than the one that is offered now: the same request made again takes that. */
function hasOtherImage(desired: DesiredPreflight): boolean {
  const payload = desired.kind === "preflight" ? desired.payload : undefined;
  return payload?.kind === "notOffered" && payload.reason === "TargetImageChanged";
}

/** The flags are keys of the ConfigMap and are validated as those. */
function buildRequest(values: RequestValues): PreflightRequest {
  const data = Object.fromEntries(
    REQUEST_KEYS.flatMap((key) =>
      values[key] === undefined || values[key] === false ? [] : [[key, String(values[key])]],
    ),
  );
  const parsed = parseRequest({ data });
  if (parsed.kind === "request") return parsed.request;
  const problems = parsed.kind === "invalid" ? parsed.problems : [];
  throw new UsageError(
    problems
      .join("; ")
      .replaceAll(/\b(to-image|not-before|until|to)\b(?=:| and| are| or| is)/g, "--$1")
      .replaceAll(new RegExp(`(^|; )(${RUNNER_KEYS.join("|")}):`, "g"), "$1--$2:"),
  );
}

async function warnOfMissingController(cluster: ClusterClient, io: Io): Promise<void> {
  if ((await readControllerPresence(cluster, io.now())) === "no")
    warn("No preflight controller runs in this cluster. The request waits until one does.", io);
}

/** `refused`: the controller would refuse the node selector. `warning`: what a user has to know, although a node may get the labels yet. */
type SelectorVerdict = { readonly kind: "fits" } | { readonly kind: "refused" | "warning"; readonly message: string };

const FITS: SelectorVerdict = { kind: "fits" };

/** Judges the request's node selector by the controller's node or, if that can't be told, by all nodes. */
async function judgeNodeSelector(
  request: PreflightRequest,
  cluster: ClusterClient,
  now: Date,
): Promise<SelectorVerdict> {
  const selector = request.runner?.["node-selector"];
  if (selector === undefined) return FITS;
  return (await judgeByController(request, cluster, now)) ?? judgeByNodes(selector, cluster);
}

/** Undefined if the controller's node can't be told: without the right to read its lease, pod and node, or without a controller in a pod. */
async function judgeByController(
  request: PreflightRequest,
  { read }: ClusterClient,
  now: Date,
): Promise<SelectorVerdict | undefined> {
  try {
    const holder = findHolder(await read(`${LEASES}/${CONTROLLER_LEASE}`), now);
    if (holder === undefined) return undefined;
    const node = textAt(await read(`${NAMESPACE_PODS}/${encodeURIComponent(holder)}`), "spec", "nodeName");
    if (node === undefined) return undefined;
    const message = await findMisplacement(request, node, read);
    return message === undefined ? FITS : { kind: "refused", message };
  } catch (thrown) {
    if (thrown instanceof FailedError) return undefined;
    throw thrown;
  }
}

async function judgeByNodes(selector: string, { read }: ClusterClient): Promise<SelectorVerdict> {
  const list = await read(`${NODES}?labelSelector=${encodeURIComponent(selector)}`).catch(getMessage);
  if (list === undefined || typeof list === "string") {
    const why = list ?? "the API server does not serve nodes";
    return { kind: "warning", message: `Whether a node has the labels ${selector} was not checked: ${toLine(why)}` };
  }
  if (listAt(list, "items").length > 0) return FITS;
  const message = `No node has the labels ${selector}. The runner does not start before the controller's node has them.`;
  return { kind: "warning", message };
}

function getMessage(thrown: unknown): string {
  if (thrown instanceof FailedError) return thrown.message;
  throw thrown;
}
