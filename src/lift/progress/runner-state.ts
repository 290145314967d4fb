import type { PreflightDocument } from "../../model/document.ts";

/** Why the runner is down: a fault of the cluster or of the tool, never a risk of the update. */
export type InfrastructureReason =
  | "DeploymentRefused"
  | "ImagePullFailed"
  | "OutOfMemory"
  | "RunnerCrashed"
  | "SignatureNotVerified"
  | "Unschedulable"
  | "VolumeUnavailable";

/** The state of the runner's Deployment. */
export type RunnerState =
  /** No Deployment exists: it is not created yet, or the target can't run. */
  | { readonly kind: "stopped" }
  /** The release image's signature is being verified. */
  | { readonly kind: "verifying" }
  /** The maintenance window has not started. */
  | { readonly kind: "waiting"; readonly notBefore: Date }
  /** The maintenance window is over, and the Deployment is deleted. */
  | { readonly kind: "windowOver"; readonly until: Date }
  | { readonly kind: "starting"; readonly since: Date }
  | { readonly kind: "up"; readonly since: Date }
  | { readonly kind: "down"; readonly reason: InfrastructureReason; readonly message: string };

/** The state of the file at the document's path. */
export type DocumentState =
  | { readonly kind: "read"; readonly document: PreflightDocument }
  | { readonly kind: "missing" }
  | { readonly kind: "invalid"; readonly problems: readonly string[] }
  /** The volume or the file can't be read. */
  | { readonly kind: "unreadable"; readonly message: string };
