import { isPreflightMode } from "../lift/objects/preflight-mode.ts";
import { getRequestTime, type PreflightRequest, parseRequest } from "../lift/objects/preflight-request.ts";
import {
  type PinnedTarget,
  resolvePayload,
  type RequestedPayload,
  type TargetReference,
} from "../lift/objects/payload.ts";
import { formatCanonicalJson, type JsonObject, objectAt, textAt } from "../model/json.ts";
import { isOurMode } from "./mode-record.ts";
import type { Observation } from "./observation.ts";
import { findPinnedTarget } from "./pinned-target.ts";

/** The requested preflight, and how it is requested. */
export type DesiredPreflight =
  | { readonly kind: "none" }
  | { readonly kind: "invalid"; readonly problems: readonly string[] }
  | {
      readonly kind: "preflight";
      readonly trigger: "request" | "mode";
      readonly request: PreflightRequest;
      readonly payload: RequestedPayload;
      /** The image that the requested version was resolved to before. */
      readonly pinned?: PinnedTarget;
      /** Absent for a request by mode, which has no time. */
      readonly requestedAt?: Date;
      /** Identifies this request; a request that is changed or made again has another key. */
      readonly requestKey: string;
      /** The same with the image. */
      readonly key: string;
    };

export type RequestedPreflight = Extract<DesiredPreflight, { kind: "preflight" }>;

type RequestSources = Pick<Observation, "clusterVersion" | "request" | "result" | "deployment">;

/** The ConfigMap takes precedence over spec.desiredUpdate.mode. A mode that the controller set itself is not a request. */
export function getDesiredPreflight(sources: RequestSources, now: Date): DesiredPreflight {
  const { clusterVersion, request, result } = sources;
  const parsed = parseRequest(request);
  if (parsed.kind === "invalid") return parsed;
  if (parsed.kind === "request") {
    const requestUid = textAt(request, "metadata", "uid") ?? "";
    const key = `${requestUid} ${formatCanonicalJson(objectAt(request, "data"))}`;
    const desired = buildDesiredPreflight("request", parsed.request, sources, key, now);
    return { ...desired, requestedAt: getRequestTime(request) };
  }
  if (!isPreflightMode(clusterVersion) || isOurMode(clusterVersion, result)) return { kind: "none" };
  const target = findTarget(objectAt(clusterVersion, "spec", "desiredUpdate"));
  if (!target) return { kind: "invalid", problems: ["spec.desiredUpdate has the mode Preflight but no target"] };
  return buildDesiredPreflight("mode", { target }, sources, "mode", now);
}

function buildDesiredPreflight(
  trigger: "request" | "mode",
  request: PreflightRequest,
  sources: RequestSources,
  requestKey: string,
  now: Date,
): RequestedPreflight {
  const { target } = request;
  const pinned = target.kind === "version" ? findPinnedTarget(sources, target.version, requestKey) : undefined;
  const payload = resolvePayload(sources.clusterVersion, target, pinned, now);
  const image = payload.kind === "refused" ? "" : payload.image;
  const key = `${requestKey} ${image}`;
  return { kind: "preflight", trigger, request, payload, pinned, requestKey, key };
}

function findTarget(desired: JsonObject): TargetReference | undefined {
  const image = textAt(desired, "image");
  const version = textAt(desired, "version");
  if (image !== undefined && image !== "") return { kind: "image", image };
  return version === undefined || version === "" ? undefined : { kind: "version", version };
}
