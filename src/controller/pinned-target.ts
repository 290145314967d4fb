import { isPreflightMode } from "../lift/objects/preflight-mode.ts";
import type { PinnedTarget } from "../lift/objects/payload.ts";
import { formatCanonicalJson, type JsonObject, objectAt, parseObject, textAt } from "../model/json.ts";
import { coversSpec, getUpdateSource, isSameSource, type UpdateSource } from "../model/update-retrieval.ts";
import type { RequestedPreflight } from "./desired-preflight.ts";
import { isOurMode } from "./mode-record.ts";
import type { Observation } from "./observation.ts";
import { findDeployedImage } from "./runner/runner-metadata.ts";

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
