import { CONTROLLER_LEASE, LEASES, NAMESPACE_PODS, NODES } from "../../../controller/api/api-paths.ts";
import { findHolder } from "../../../controller/leader/lease.ts";
import { findMisplacement } from "../../../controller/runner/placement.ts";
import type { PreflightRequest } from "../../../lift/objects/preflight-request.ts";
import { FailedError } from "../../../model/errors.ts";
import { listAt, textAt } from "../../../model/json.ts";
import { toLine } from "../../../model/visible-text.ts";
import type { ClusterClient } from "../../client/cluster-client.ts";

/** `refused`: the controller would refuse the node selector. `warning`: what a user has to know, although a node may get the labels yet. */
type SelectorVerdict = { readonly kind: "fits" } | { readonly kind: "refused" | "warning"; readonly message: string };

const FITS: SelectorVerdict = { kind: "fits" };

/** Judges the request's node selector by the controller's node or, if that can't be told, by all nodes. */
export async function judgeNodeSelector(
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
