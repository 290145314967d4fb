import { PROPOSED_UPDATE, findProposedVersion, isPreflightMode } from "../lift/objects/cluster-version-edit.ts";
import { getRequestTime, type PreflightRequest, parseRequest } from "../lift/objects/preflight-request.ts";
import type { PinnedTarget, RequestedPayload, TargetReference } from "../lift/objects/payload.ts";
import { resolvePayload } from "../lift/objects/payload.ts";
import { type JsonObject, formatCanonicalJson, objectAt, textAt, parseObject } from "../model/json.ts";
import type { Observation } from "./observation.ts";
import { parseVersion } from "../model/version.ts";
import { coversSpec, getUpdateSource, isSameSource, type UpdateSource } from "../model/cluster-version.ts";
import { findDeployedImage } from "./runner/runner-deployment.ts";

/** The requested preflight, and how it is requested. */
export type DesiredPreflight =
  | { readonly kind: "none" }
  | {
      readonly kind: "invalid";
      readonly problems: readonly string[];
      /** What is invalid, if that is not the ConfigMap. */
      readonly subject?: string;
    }
  | {
      readonly kind: "preflight";
      readonly trigger: "request" | "mode" | "annotation";
      readonly request: PreflightRequest;
      readonly payload: RequestedPayload;
      /** The image that the requested version was resolved to before. */
      readonly pinned?: PinnedTarget;
      /** Absent for a request by mode or annotation, which have no time. */
      readonly requestedAt?: Date;
      /** Identifies this request; a request that is changed or made again has another key. */
      readonly requestKey: string;
      /** The same with the image. */
      readonly key: string;
    };

export type RequestedPreflight = Extract<DesiredPreflight, { kind: "preflight" }>;

type RequestSources = Pick<Observation, "clusterVersion" | "request" | "result" | "deployment" | "servesAnnotation">;

/**
 * The ConfigMap takes precedence over spec.desiredUpdate.mode, and that over the annotation. A mode that the controller set itself is not a
 * request.
 */
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
  if (!isPreflightMode(clusterVersion) || isOurMode(clusterVersion, result)) return getProposedPreflight(sources, now);
  const target = findTarget(objectAt(clusterVersion, "spec", "desiredUpdate"));
  if (!target) return { kind: "invalid", problems: ["spec.desiredUpdate has the mode Preflight but no target"] };
  return buildDesiredPreflight("mode", { target }, sources, "mode", now);
}

/** Key of preflight-result: the version for which the controller serves the annotation, which tells commands that it does. */
export const PROPOSED_KEY = "proposed-update";

function getProposedPreflight(sources: RequestSources, now: Date): DesiredPreflight {
  const { clusterVersion, result, servesAnnotation } = sources;
  const version = findProposedVersion(clusterVersion);
  const isServed = servesAnnotation ?? (version !== undefined && textAt(result, "data", PROPOSED_KEY) === version);
  if (version === undefined || !isServed) return { kind: "none" };
  if (parseVersion(version) === undefined)
    return {
      kind: "invalid",
      problems: [`"${version}" is not a version such as 5.2.0`],
      subject: `The annotation ${PROPOSED_UPDATE} of ClusterVersion`,
    };
  const target = { kind: "version", version } as const;
  return buildDesiredPreflight("annotation", { target }, sources, `annotation ${version}`, now);
}

/** The record to keep in the result. */
export function buildProposedRecord({ trigger, request }: RequestedPreflight): Readonly<Record<string, string>> {
  const { target } = request;
  return trigger === "annotation" && target.kind === "version" ? { [PROPOSED_KEY]: target.version } : {};
}

function buildDesiredPreflight(
  trigger: RequestedPreflight["trigger"],
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

/** Key of preflight-result: the image that the requested version was resolved to, and that was verified. */
export const PINNED_TARGET_KEY = "pinned-target.json";

type PinSources = Pick<Observation, "clusterVersion" | "result" | "deployment">;

/** The version's image as it was resolved before. One that no record ties to the request is used only until ClusterVersion lists the version. */
export function findPinnedTarget(sources: PinSources, version: string, requestKey: string): PinnedTarget | undefined {
  const saved = parseObject(textAt(sources.result, "data", PINNED_TARGET_KEY) ?? "");
  const image = textAt(saved, "image");
  if (!saved || image === undefined || textAt(saved, "version") !== version) {
    const other = findOtherImage(sources, version);
    return other === undefined ? undefined : { version, image: other, isOfRequest: false };
  }
  const source = findSourceBefore(saved, sources.clusterVersion);
  const unknownSince = textAt(saved, "unknownSince");
  return { version, image, isOfRequest: textAt(saved, "key") === requestKey, source, unknownSince };
}

/** A channel that was changed and changed back has been changed: lists that are empty since then may not be retrieved yet. */
function findSourceBefore(saved: JsonObject, clusterVersion: JsonObject): UpdateSource | undefined {
  const last = parseSource(objectAt(saved, "source"));
  const isLast = last !== undefined && isSameSource(last, getUpdateSource(clusterVersion));
  return (isLast ? parseSource(objectAt(saved, "sourceBefore")) : undefined) ?? last;
}

function parseSource(source: JsonObject): UpdateSource | undefined {
  const channel = textAt(source, "channel");
  const upstream = textAt(source, "upstream");
  return channel === undefined || upstream === undefined ? undefined : { channel, upstream };
}

/** Of a mode that the controller set, or of the Deployment, whose record somebody removed or an earlier release did not write. */
function findOtherImage({ clusterVersion, result, deployment }: PinSources, version: string): string | undefined {
  const desired = objectAt(clusterVersion, "spec", "desiredUpdate");
  const isOurs = isPreflightMode(clusterVersion) && isOurMode(clusterVersion, result);
  if (isOurs && textAt(desired, "version") === version) return textAt(desired, "image");
  return deployment && findDeployedImage(deployment, version);
}

/** The record to keep in the result. A version that is not offered has none, nor has an image before it is verified. */
export function buildPinRecord(
  { request, payload, pinned, requestKey }: RequestedPreflight,
  clusterVersion: JsonObject,
  isVerified: boolean,
): Readonly<Record<string, string>> {
  if (request.target.kind !== "version" || payload.kind === "refused") return {};
  const { version } = request.target;
  const isOffered = payload.kind === "offered";
  const isOfRequest = pinned?.isOfRequest === true;
  if (isOffered && !isOfRequest && !isVerified) return {};
  const record = {
    key: isOffered || isOfRequest ? requestKey : "",
    version,
    image: payload.image,
    ...buildSources(clusterVersion, isOffered, pinned?.source),
    ...(isOffered || payload.since === undefined ? {} : { unknownSince: payload.since }),
  };
  return { [PINNED_TARGET_KEY]: `${formatCanonicalJson(record)}\n` };
}

/** What ClusterVersion asks for now, and before. An operator that has not seen the spec may still list what another channel offered. */
function buildSources(clusterVersion: JsonObject, isOffered: boolean, before: UpdateSource | undefined): JsonObject {
  const source = getUpdateSource(clusterVersion);
  if (isOffered && coversSpec(clusterVersion)) return { source };
  if (before === undefined) return {};
  return isSameSource(before, source) ? { source } : { source, sourceBefore: before };
}

/** Key of preflight-result: the pull spec for which the controller set spec.desiredUpdate.mode. */
export const MODE_KEY = "mode-image";

/** Whether the controller set the present mode. It never touches a mode set by somebody else. */
export function isOurMode(clusterVersion: JsonObject, result: JsonObject | undefined): boolean {
  const image = textAt(result, "data", MODE_KEY);
  if (image === undefined || !isPreflightMode(clusterVersion)) return false;
  return textAt(clusterVersion, "spec", "desiredUpdate", "image") === image;
}

/** The record to keep in the result while our mode is set, since withdrawing the mode can fail. */
export function buildModeRecord(clusterVersion: JsonObject, result: JsonObject | undefined): JsonObject {
  return isOurMode(clusterVersion, result) ? { [MODE_KEY]: textAt(result, "data", MODE_KEY) ?? "" } : {};
}
