import { isUpdating } from "../model/cluster-version.ts";
import { getWindowPhase, allowsUnverified } from "../lift/objects/preflight-request.ts";
import { isDelegated } from "./delegation.ts";
import { getDesiredPreflight, type RequestedPreflight } from "./desired-preflight.ts";
import { findFailureDeadline } from "./failure-deadline.ts";
import type { Observation, SignatureState } from "./observation.ts";
import { isVerifiedDeployment } from "./runner/runner-deployment.ts";
import { formatError } from "../model/errors.ts";
import type { JsonObject } from "../model/json.ts";
import type { Logger } from "../model/logger.ts";
import type { ImageVerification } from "../model/release.ts";

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

/** Whether the cluster trusts the signature of an image, by the image's digest. */
export type VerifySignature = (
  digest: string,
  clusterVersion: JsonObject,
  signal: AbortSignal,
) => Promise<ImageVerification>;

export type SignatureVerifier = {
  /** What is known of an image's signature. Never waits: it is verified in the background, and again after a while if that failed. */
  readonly check: (image: string | undefined, clusterVersion: JsonObject) => SignatureState;
};

type VerifierDependencies = {
  readonly verifySignature: VerifySignature;
  readonly log: Logger;
  readonly clock: () => number;
  /** How long after a signature could not be verified it is verified again. */
  readonly retryMs: number;
  /** Called when more is known. */
  readonly onVerdict: () => void;
};

/** How long stores and the API server may take together. */
const TIMEOUT_MS = 30_000;

/** Only the latest image matters, since there is one request at a time. */
type Entry = { readonly image: string; state: SignatureState; isBusy: boolean; retryAt: number };

export function createSignatureVerifier(dependencies: VerifierDependencies, signal: AbortSignal): SignatureVerifier {
  let entry: Entry | undefined;
  return {
    check: (image, clusterVersion) => {
      if (image === undefined) entry = undefined;
      else if (entry?.image !== image) entry = { image, state: { kind: "pending" }, isBusy: false, retryAt: 0 };
      if (!entry) return { kind: "pending" };
      const isDue = entry.state.kind !== "verified" && dependencies.clock() >= entry.retryAt;
      if (isDue && !entry.isBusy && !signal.aborted) void verify(entry, clusterVersion, dependencies, signal);
      return entry.state;
    },
  };
}

async function verify(
  entry: Entry,
  clusterVersion: JsonObject,
  { verifySignature, log, clock, retryMs, onVerdict }: VerifierDependencies,
  signal: AbortSignal,
): Promise<void> {
  entry.isBusy = true;
  const { image } = entry;
  const digest = image.slice(image.indexOf("@") + 1);
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const verification = await verifySignature(digest, clusterVersion, bounded).catch(
    (thrown: unknown): ImageVerification => ({
      status: "Unknown",
      message: `could not be verified: ${formatError(thrown)}`,
    }),
  );
  if (signal.aborted) return;
  const state = toVerdict(image, verification);
  if (state.kind === "verified")
    log.info("the release image's signature is verified", { image, by: verification.message });
  else if (state.message !== getMessage(entry.state))
    log.warn("the release image does not run", { why: state.message });
  Object.assign(entry, { state, isBusy: false, retryAt: clock() + retryMs });
  onVerdict();
}

type SignatureVerdict = Exclude<SignatureState, { kind: "pending" }>;

function toVerdict(image: string, { status, message }: ImageVerification): SignatureVerdict {
  switch (status) {
    case "Verified":
      return { kind: "verified" };
    case "Untrusted":
      return refuse(`the release image ${image} is ${message}. Request an image that the cluster trusts, or`);
    case "Unknown":
      return refuse(
        `the signature of ${image} ${message}. The runner starts once it is verified. ${BRING_SIGNATURE} Or`,
      );
  }
}

const BRING_SIGNATURE =
  'oc-mirror and "oc adm release mirror --apply-release-image-signature" bring a missing signature to the cluster.';

function refuse(why: string): SignatureVerdict {
  const message = `The runner is not started: ${why} repeat the request with --allow-unverified.`;
  return { kind: "notVerified", message };
}

function getMessage(state: SignatureState): string | undefined {
  return state.kind === "notVerified" ? state.message : undefined;
}
