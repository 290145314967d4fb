import { isUpdating, getSourceVersion } from "../../../lift/objects/cluster-version.ts";
import { textAt } from "../../../model/json.ts";
import { CLEANUP_COMMAND } from "../../client/controller-presence.ts";
import { describeForeignMode } from "../../client/operator-presence.ts";
import { toLine } from "../../../model/visible-text.ts";
import { formatDocument } from "./document.ts";
import { getRequestState, type RequestState } from "./request.ts";
import type { StatusInput } from "./status.ts";

/** What is requested, who serves it, what runs, and the age of the result. */
export function formatHeadline(input: StatusInput): string {
  const lines = formatLines(input, getRequestState(input)).filter((line) => line !== "");
  const mode = describeForeignMode(input.clusterVersion, input.result, input.operator);
  return [...lines.map(toLine), ...(mode === undefined ? [] : [`warning: ${mode}`])].join("\n");
}

function formatLines(input: StatusInput, request: RequestState): readonly string[] {
  const source = getSourceVersion(input.clusterVersion) ?? "an unknown version";
  switch (request.kind) {
    case "invalid":
      return [`The ConfigMap preflight-request is not valid: ${request.problems.join("; ")}.`];
    case "none":
      return [formatNoRequest(input, source), formatLeftoverRunner(input)];
    case "requested":
      return [
        `A preflight from ${source} to ${request.target} is requested.`,
        formatMissingController(input),
        formatRunner(input),
        formatDocument(input),
      ];
  }
}

function formatNoRequest({ clusterVersion }: StatusInput, source: string): string {
  if (!isUpdating(clusterVersion)) return `No preflight is requested. The cluster runs ${source}.`;
  const to = textAt(clusterVersion, "status", "history", 0, "version") ?? "another version";
  return `No preflight is requested. The cluster is updating to ${to}, which ends every preflight.`;
}

function formatLeftoverRunner({ deployment, controllerPresence }: StatusInput): string {
  if (!deployment) return "";
  return controllerPresence === "no"
    ? `The Deployment of a runner still exists, and no preflight controller runs to delete it: ${CLEANUP_COMMAND}`
    : "The Deployment of a runner still exists. The controller deletes it, unless somebody else created it.";
}

function formatMissingController({ controllerPresence }: StatusInput): string {
  return controllerPresence === "no"
    ? "No preflight controller runs in this cluster, so nothing serves the request, and the following can be out of date."
    : "";
}

function formatRunner({ deployment }: StatusInput): string {
  const since = textAt(deployment, "metadata", "creationTimestamp");
  return since === undefined ? "The runner is not deployed." : `The runner was deployed at ${since}.`;
}
