import { isUpdating } from "../model/cluster-version.ts";
import { getWindowPhase } from "../lift/objects/preflight-request.ts";
import { allowsUnverified } from "../lift/objects/runner-options.ts";
import { isDelegated } from "./delegation.ts";
import { getDesiredPreflight, type RequestedPreflight } from "./desired-preflight.ts";
import { findFailureDeadline } from "./failure-deadline.ts";
import type { Observation, SignatureState } from "./observation.ts";
import { isVerifiedDeployment } from "./runner/runner-metadata.ts";

/**
 * Whether the requested image may run, by its signature: its code runs on a control-plane node. What runs was verified, and keys that
 * change don't stop it: they come with a release, and the update to it ends the preflight.
 */
export function judgeSignature(
  { deployment, signature }: Pick<Observation, "deployment" | "signature">,
  { request, payload }: RequestedPreflight,
): SignatureState {
  const isRunning =
    deployment !== undefined && payload.kind !== "refused" && isVerifiedDeployment(deployment, payload.image);
  return isRunning || allowsUnverified(request.runner) ? { kind: "verified" } : (signature ?? { kind: "pending" });
}

/** The image whose signature must be verified now, before its Deployment is created. */
export function findImageToVerify(observation: Observation, useMode: boolean, now: Date): string | undefined {
  const desired = getDesiredPreflight(observation, now);
  if (desired.kind !== "preflight" || desired.payload.kind === "refused") return undefined;
  const isOver =
    isUpdating(observation.clusterVersion) ||
    isDelegated(observation, desired, useMode) ||
    findFailureDeadline(observation.result, desired.key) !== undefined;
  if (isOver || getWindowPhase(desired.request, now) !== "within") return undefined;
  const { deployment } = observation;
  const needsVerification = judgeSignature(deployment ? { deployment } : {}, desired).kind === "pending";
  return needsVerification ? desired.payload.image : undefined;
}
