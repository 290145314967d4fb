import { isUpdating, getSourceVersion } from "../../lift/objects/cluster-version.ts";
import { isPreflightMode } from "../../lift/objects/preflight-mode.ts";
import { parseRequest } from "../../lift/objects/preflight-request.ts";
import { resolvePayload, type TargetReference } from "../../lift/objects/payload.ts";
import { type JsonObject, objectAt, textAt } from "../../model/json.ts";
import { formatDocument } from "./document.ts";
import type { StatusInput } from "./status.ts";
import { CLEANUP_COMMAND } from "../client/controller-presence.ts";

/** What is asked for, who serves it, what runs, and how old what is known is. */
export function formatHeadline(input: StatusInput): string {
  const { clusterVersion, request } = input;
  const read = parseRequest(request);
  if (read.kind === "invalid") return `The ConfigMap preflight-request can't be served: ${read.problems.join("; ")}.`;
  const source = getSourceVersion(clusterVersion) ?? "an unknown version";
  const target =
    read.kind === "request" ? formatTarget(clusterVersion, read.request.target) : findModeTarget(clusterVersion);
  if (target === undefined)
    return [formatNoRequest(input, source), formatLeftoverRunner(input)].filter(Boolean).join("\n");
  const lines = [
    `A preflight from ${source} to ${target} is requested.`,
    formatMissingController(input),
    formatRunner(input),
  ];
  return [...lines, formatDocument(input)].filter(Boolean).join("\n");
}

function formatNoRequest({ clusterVersion }: StatusInput, source: string): string {
  if (!isUpdating(clusterVersion)) return `No preflight is requested. The cluster runs ${source}.`;
  const to = textAt(clusterVersion, "status", "history", 0, "version") ?? "another version";
  return `No preflight is requested. The cluster is updating to ${to}, which ends every preflight.`;
}

function formatLeftoverRunner({ deployment, controllerPresence }: StatusInput): string {
  if (!deployment) return "";
  const still = "The Deployment of a runner is still there";
  if (controllerPresence === "no")
    return `${still}, and no preflight controller runs that takes it away: ${CLEANUP_COMMAND}`;
  return `${still}: it is being taken away, unless somebody else has made it.`;
}

function formatMissingController({ controllerPresence }: StatusInput): string {
  return controllerPresence === "no"
    ? "No preflight controller runs in this cluster, so nobody serves the request, and what is told below can be out of date."
    : "";
}

function formatRunner({ deployment }: StatusInput): string {
  const since = textAt(deployment, "metadata", "creationTimestamp");
  return since === undefined ? "Its runner is not deployed." : `Its runner is deployed since ${since}.`;
}

function formatTarget(clusterVersion: JsonObject, target: TargetReference): string {
  const payload = resolvePayload(clusterVersion, target);
  if (payload.kind === "offered") return payload.version;
  if (payload.kind === "unverified") return `${payload.image} (unverified)`;
  return target.kind === "version" ? target.version : target.image;
}

function findModeTarget(clusterVersion: JsonObject): string | undefined {
  if (!isPreflightMode(clusterVersion)) return undefined;
  const desired = objectAt(clusterVersion, "spec", "desiredUpdate");
  return textAt(desired, "version") || textAt(desired, "image");
}
