import type reasons from "../../../conformance/reasons.json";
import { type JsonObject, textAt } from "../../model/json.ts";
import { joinNames, sortNames } from "../../model/text.ts";
import { formatTime } from "../../model/time.ts";
import type { UpdateRetrieval, UpdateSource } from "../../model/cluster-version.ts";
import { getUpdateSource, judgeRetrieval } from "../../model/cluster-version.ts";
import { getClusterUpdates, releaseOf } from "./cluster-version.ts";

/** The requested target: a version that the update service offers, or any release by its pull spec. */
export type TargetReference =
  | { readonly kind: "version"; readonly version: string }
  | { readonly kind: "image"; readonly image: string };

/** The image to run. Only "offered" and "notOffered" payloads can run. */
export type RequestedPayload =
  | { readonly kind: "offered"; readonly version: string; readonly image: string }
  /** Pinned by digest, and no update that ClusterVersion lists now. `version`: as which it was offered before. */
  | {
      readonly kind: "notOffered";
      readonly version?: string;
      readonly image: string;
      readonly reason: NotOfferedReason;
      readonly message: string;
      /** RFC 3339; since when it has been unknown whether the image is offered, if it is unknown. */
      readonly since?: string;
    }
  | { readonly kind: "refused"; readonly reason: PayloadRefusalReason; readonly message: string };

/** Reasons are API: they are never renamed. */
export type NotOfferedReason = Exclude<keyof typeof reasons.target, "TargetAmbiguous" | "TargetNotPinned">;
export type PayloadRefusalReason = Exclude<keyof typeof reasons.target, "TargetImageChanged">;

/** The image that a version was resolved to before. */
export type PinnedTarget = {
  readonly version: string;
  readonly image: string;
  /** Whether it was resolved for the present request, which then has no other image. */
  readonly isOfRequest: boolean;
  /** What ClusterVersion asked for when it listed the version or, if that has changed since, before the last change; if known. */
  readonly source?: UpdateSource;
  /** RFC 3339; since when it has been unknown whether the version is offered. */
  readonly unknownSince?: string;
};

const PINNED = /^\S+@sha256:[0-9a-f]{64}$/;

/** What ClusterVersion does not list is refused only if its lists are evidence; until then, the image of before is used. */
export function resolvePayload(
  clusterVersion: JsonObject,
  target: TargetReference,
  pinned?: PinnedTarget,
  now?: Date,
): RequestedPayload {
  if (target.kind === "image") return resolveImage(clusterVersion, target.image);
  const { version } = target;
  const known = pinned?.version === version ? pinned : undefined;
  const images = sortNames(
    listReleases(clusterVersion)
      .filter((release) => textAt(release, "version") === version)
      .map((release) => textAt(release, "image") ?? ""),
  );
  const [image] = images;
  if (image === undefined) return resolveUnlisted(clusterVersion, version, known, now);
  if (known?.isOfRequest) return resolvePinned(known, images);
  if (images.length > 1)
    return refusePayload(
      "TargetAmbiguous",
      `${version} is offered with ${images.length} images. Select one with --to-image.`,
    );
  if (!PINNED.test(image))
    return refusePayload("TargetNotPinned", `${version} is offered as ${image}, which has no digest.`);
  return { kind: "offered", version, image };
}

function resolvePinned({ version, image }: PinnedTarget, images: readonly string[]): RequestedPayload {
  if (images.some((one) => isSameImage(one, image))) return { kind: "offered", version, image };
  const message = `ClusterVersion now offers ${version} as ${joinNames(images)}. The preflight goes on with ${image}, as which ${version} was offered when the preflight started. Request it again to check the other image.`;
  return { kind: "notOffered", version, image, reason: "TargetImageChanged", message };
}

function resolveUnlisted(
  clusterVersion: JsonObject,
  version: string,
  pinned: PinnedTarget | undefined,
  now: Date | undefined,
): RequestedPayload {
  const retrieval = judgeRetrieval(clusterVersion, pinned && (pinned.source ?? "unknown"));
  if (retrieval.kind === "retrieved")
    return refusePayload("TargetNotOffered", formatNotOffered(version, getUpdateSource(clusterVersion).channel));
  const reason = "UpdatesNotRetrieved";
  const doubt = (since?: string): string => formatDoubt(`${version} is offered`, retrieval, since);
  if (!pinned)
    return refusePayload(
      reason,
      `${doubt(retrieval.since)} A release named by its digest (--to-image) needs no offer.`,
    );
  const { image } = pinned;
  const since = pinned.unknownSince ?? retrieval.since ?? (now && formatTime(now));
  const message = `${doubt(since)} The preflight goes on with the image that was offered before: ${image}.`;
  return { kind: "notOffered", version, image, reason, message, since };
}

function resolveImage(clusterVersion: JsonObject, image: string): RequestedPayload {
  if (!PINNED.test(image))
    return refusePayload("TargetNotPinned", `${image} has no digest: expected @sha256: and 64 hexadecimal digits.`);
  const release = listReleases(clusterVersion).find((one) => textAt(one, "image") === image);
  const version = textAt(release, "version");
  if (version !== undefined) return { kind: "offered", version, image };
  const retrieval = judgeRetrieval(clusterVersion);
  return retrieval.kind === "retrieved"
    ? { kind: "notOffered", image, reason: "TargetNotOffered", message: `ClusterVersion does not offer ${image}.` }
    : {
        kind: "notOffered",
        image,
        reason: "UpdatesNotRetrieved",
        message: formatDoubt(`${image} is offered`, retrieval, retrieval.since),
      };
}

function listReleases(clusterVersion: JsonObject): readonly JsonObject[] {
  const { available, conditional } = getClusterUpdates(clusterVersion);
  return [...available, ...conditional.map(releaseOf)];
}

/** A digest identifies an image in whichever registry it is. */
export function isSameImage(a: string, b: string | undefined): boolean {
  const digest = /@(sha256:[0-9a-f]{64})$/.exec(a)?.[1];
  return a === b || (digest !== undefined && b !== undefined && b.endsWith(`@${digest}`));
}

function formatNotOffered(version: string, channel: string): string {
  const where = channel === "" ? "" : ` Its channel is ${channel}.`;
  return `ClusterVersion does not offer ${version}: the updates were retrieved (RetrievedUpdates=True), and neither availableUpdates nor conditionalUpdates lists it.${where}`;
}

function formatDoubt(
  what: string,
  { why }: Extract<UpdateRetrieval, { kind: "unknown" }>,
  since: string | undefined,
): string {
  const known = since === undefined ? "is unknown" : `has been unknown since ${since}`;
  return `Whether ${what} ${known}: ${why}.`;
}

function refusePayload(reason: PayloadRefusalReason, message: string): RequestedPayload {
  return { kind: "refused", reason, message };
}
