import type { PreflightRequest } from "../../lift/objects/preflight-request.ts";
import { parseNodeSelector } from "../../lift/objects/runner-options.ts";
import { type JsonObject, textAt } from "../../model/json.ts";
import { NODES } from "../api/api-paths.ts";

/**
 * Why no pod with the request's node selector can run on the controller's node, where the runner's document is read. A node that can't be
 * read is left to the scheduler. Other requests read no node.
 */
export async function findMisplacement(
  request: PreflightRequest | undefined,
  node: string | undefined,
  read: (path: string) => Promise<JsonObject | undefined>,
): Promise<string | undefined> {
  const selector = request?.runner?.["node-selector"];
  if (node === undefined || selector === undefined) return undefined;
  const object = await read(`${NODES}/${encodeURIComponent(node)}`);
  return object && describeMisplacement(selector, node, object);
}

function describeMisplacement(selector: string, name: string, node: JsonObject): string | undefined {
  const missing = Object.entries(parseNodeSelector(selector))
    .filter(([key, value]) => textAt(node, "metadata", "labels", key) !== value)
    .map(([key, value]) => `${key}=${value}`);
  if (missing.length === 0) return undefined;
  return [
    `The runner has to be on node ${name}, where the controller reads its document.`,
    `That node doesn't match the request's node selector: it has no label ${missing.join(", ")}.`,
    "Request the preflight without --node-selector, or move the controller to a node that matches, with the node selector of its Deployment.",
  ].join(" ");
}
