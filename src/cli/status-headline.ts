import { isUpdating, sourceOf } from "../lift/cluster-version.ts";
import { isByMode } from "../lift/mode.ts";
import { requestOf } from "../lift/request.ts";
import { payloadOf, type Target } from "../lift/target.ts";
import { type JsonObject, objectAt, textAt } from "../model/json.ts";
import { documentText } from "./status-document.ts";
import type { StatusInput } from "./status-text.ts";
import { TAKE_AWAY } from "./served.ts";

/** What is asked for, who serves it, what runs, and how old what is known is. */
export function headline(input: StatusInput): string {
  const { clusterVersion, request } = input;
  const read = requestOf(request);
  if (read.kind === "invalid") return `The ConfigMap preflight-request can't be served: ${read.problems.join("; ")}.`;
  const source = sourceOf(clusterVersion) ?? "an unknown version";
  const asked = read.kind === "request" ? targetText(clusterVersion, read.request.target) : byMode(clusterVersion);
  if (asked === undefined) return [unasked(input, source), leftOver(input)].filter(Boolean).join("\n");
  const lines = [`A preflight from ${source} to ${asked} is requested.`, unserved(input), runnerText(input)];
  return [...lines, documentText(input)].filter(Boolean).join("\n");
}

function unasked({ clusterVersion }: StatusInput, source: string): string {
  if (!isUpdating(clusterVersion)) return `No preflight is requested. The cluster runs ${source}.`;
  const to = textAt(clusterVersion, "status", "history", 0, "version") ?? "another version";
  return `No preflight is requested. The cluster is updating to ${to}, which ends every preflight.`;
}

function leftOver({ deployment, served }: StatusInput): string {
  if (!deployment) return "";
  const still = "The Deployment of a runner is still there";
  if (served === "no") return `${still}, and no preflight controller runs that takes it away: ${TAKE_AWAY}`;
  return `${still}: it is being taken away, unless somebody else has made it.`;
}

function unserved({ served }: StatusInput): string {
  return served === "no"
    ? "No preflight controller runs in this cluster, so nobody serves the request, and what is told below can be out of date."
    : "";
}

function runnerText({ deployment }: StatusInput): string {
  const since = textAt(deployment, "metadata", "creationTimestamp");
  return since === undefined ? "Its runner is not deployed." : `Its runner is deployed since ${since}.`;
}

function targetText(clusterVersion: JsonObject, target: Target): string {
  const payload = payloadOf(clusterVersion, target);
  if (payload.kind === "offered") return payload.version;
  if (payload.kind === "unverified") return `${payload.image} (unverified)`;
  return target.kind === "version" ? target.version : target.image;
}

function byMode(clusterVersion: JsonObject): string | undefined {
  if (!isByMode(clusterVersion)) return undefined;
  const desired = objectAt(clusterVersion, "spec", "desiredUpdate");
  return textAt(desired, "version") || textAt(desired, "image");
}
