import { allowsUnverified, type RunnerOptions } from "../../lift/objects/runner-options.ts";
import type { RunnablePayload } from "./runner-deployment.ts";
import { type Json, type JsonObject, textAt } from "../../model/json.ts";
import { RUNNER_NAME } from "../api/api-paths.ts";

const MANAGED_BY = "app.kubernetes.io/managed-by";
const MANAGER = "preflight-controller";
/** Identifies a pod's target and settings. */
export const RUN_LABEL = "preflight-run";
const TARGET_LABEL = "preflight-target";
const IMAGE_ANNOTATION = "preflight-target-image";
/** Whether the image's signature was verified before the Deployment was created. */
const SIGNATURE_ANNOTATION = "preflight-signature";
const VERIFIED = "verified";

/** The labels of the Deployment and its pods. */
export function buildLabels(payload: RunnablePayload): JsonObject {
  return { app: RUNNER_NAME, ...buildTargetLabel(payload) };
}

/** A version with build metadata can't be a label's value. */
function buildTargetLabel(payload: RunnablePayload): JsonObject {
  const { version } = payload;
  return version !== undefined && /^[A-Za-z0-9._-]{1,63}$/.test(version) ? { [TARGET_LABEL]: version } : {};
}

/** What the Deployment has of its own. */
export function buildOwnMetadata(
  { image }: RunnablePayload,
  options: RunnerOptions,
): Record<"labels" | "annotations", JsonObject> {
  const signature = allowsUnverified(options) ? "unverified" : VERIFIED;
  return {
    labels: { [MANAGED_BY]: MANAGER },
    annotations: { [IMAGE_ANNOTATION]: image, [SIGNATURE_ANNOTATION]: signature },
  };
}

/** A Deployment of the same name that somebody else created is left alone. */
export function isOurDeployment(deployment: JsonObject): boolean {
  return textAt(deployment, "metadata", "labels", MANAGED_BY) === MANAGER;
}

export function hasTargetImage(deployment: JsonObject, image: string): boolean {
  return textAt(deployment, "metadata", "annotations", IMAGE_ANNOTATION) === image;
}

/** The image of a Deployment of the controller's for this version. */
export function findDeployedImage(deployment: JsonObject, version: string): string | undefined {
  const isOfVersion = textAt(deployment, "metadata", "labels", TARGET_LABEL) === version;
  return isOurDeployment(deployment) && isOfVersion
    ? textAt(deployment, "metadata", "annotations", IMAGE_ANNOTATION)
    : undefined;
}

/** Whether the Deployment was created for this image after its signature had been verified. */
export function isVerifiedDeployment(deployment: JsonObject, image: string): boolean {
  const signature = textAt(deployment, "metadata", "annotations", SIGNATURE_ANNOTATION);
  return isOurDeployment(deployment) && hasTargetImage(deployment, image) && signature === VERIFIED;
}

/** Of a pod, or of a Deployment's template. */
export function runLabelOf(of: Json | undefined): string | undefined {
  return textAt(of, "metadata", "labels", RUN_LABEL);
}
