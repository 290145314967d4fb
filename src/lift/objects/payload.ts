import { type JsonObject, textAt } from "../../model/json.ts";
import { getClusterUpdates, releaseOf } from "./cluster-updates.ts";

/** The requested target: a version that the update service offers, or any release by its pull spec. */
export type TargetReference =
  | { readonly kind: "version"; readonly version: string }
  | { readonly kind: "image"; readonly image: string };

/** The image to run. Only "offered" and "notOffered" payloads can run. */
export type RequestedPayload =
  | { readonly kind: "offered"; readonly version: string; readonly image: string }
  /** Pinned by digest, but not offered in ClusterVersion. */
  | { readonly kind: "notOffered"; readonly image: string }
  | { readonly kind: "refused"; readonly reason: PayloadRefusalReason; readonly message: string };

export type PayloadRefusalReason = "TargetNotOffered" | "TargetAmbiguous" | "TargetNotPinned";

const PINNED = /^\S+@sha256:[0-9a-f]{64}$/;

export function resolvePayload(clusterVersion: JsonObject, target: TargetReference): RequestedPayload {
  const { available, conditional } = getClusterUpdates(clusterVersion);
  const offered = [...available, ...conditional.map(releaseOf)];
  if (target.kind === "image") return resolveImage(offered, target.image);
  const images = new Set(
    offered
      .filter((release) => textAt(release, "version") === target.version)
      .map((release) => textAt(release, "image")),
  );
  const [image] = images;
  if (image === undefined) return refusePayload("TargetNotOffered", formatNotOffered(target.version));
  if (images.size > 1)
    return refusePayload(
      "TargetAmbiguous",
      `${target.version} is offered with ${images.size} images. Select one with --to-image.`,
    );
  if (!PINNED.test(image))
    return refusePayload("TargetNotPinned", `${target.version} is offered as ${image}, which has no digest.`);
  return { kind: "offered", version: target.version, image };
}

function resolveImage(offered: readonly JsonObject[], image: string): RequestedPayload {
  if (!PINNED.test(image))
    return refusePayload("TargetNotPinned", `${image} has no digest: expected @sha256: and 64 hexadecimal digits.`);
  const release = offered.find((one) => textAt(one, "image") === image);
  const version = textAt(release, "version");
  return version === undefined ? { kind: "notOffered", image } : { kind: "offered", version, image };
}

export function formatNotOffered(version: string): string {
  return `The update service does not offer ${version} to this cluster in its channel, neither in availableUpdates nor in conditionalUpdates.`;
}

function refusePayload(reason: PayloadRefusalReason, message: string): RequestedPayload {
  return { kind: "refused", reason, message };
}
