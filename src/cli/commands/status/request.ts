import { isPreflightMode } from "../../../lift/objects/preflight-mode.ts";
import { parseRequest } from "../../../lift/objects/preflight-request.ts";
import { resolvePayload, type TargetReference } from "../../../lift/objects/payload.ts";
import { type JsonObject, objectAt, textAt } from "../../../model/json.ts";
import type { StatusInput } from "./status.ts";

/** What is requested: by the ConfigMap, or else by the mode in ClusterVersion's spec. */
export type RequestState =
  | { readonly kind: "none" }
  | { readonly kind: "invalid"; readonly problems: readonly string[] }
  | { readonly kind: "requested"; readonly by: "configMap" | "mode"; readonly target: string };

export function getRequestState({ clusterVersion, request }: StatusInput): RequestState {
  const parsed = parseRequest(request);
  if (parsed.kind === "invalid") return parsed;
  if (parsed.kind === "request")
    return { kind: "requested", by: "configMap", target: formatTarget(clusterVersion, parsed.request.target) };
  const target = findModeTarget(clusterVersion);
  return target === undefined ? { kind: "none" } : { kind: "requested", by: "mode", target };
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
