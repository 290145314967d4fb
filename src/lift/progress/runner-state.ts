import type { PreflightDocument } from "../../model/document.ts";

/** Why the runner doesn't run although it should: a fault of the cluster or of ours, never a risk of the update. */
export type InfrastructureReason =
  | "DeploymentRefused"
  | "ImagePullFailed"
  | "OutOfMemory"
  | "RunnerCrashed"
  | "Unschedulable"
  | "VolumeUnavailable";

/** How the Deployment of the runner stands. */
export type RunnerState =
  /** There is no Deployment: it is not made yet, or the target may not be run. */
  | { readonly kind: "stopped" }
  /** The maintenance window has not begun. */
  | { readonly kind: "waiting"; readonly notBefore: Date }
  /** The maintenance window is over, and the Deployment gone. */
  | { readonly kind: "windowOver"; readonly until: Date }
  | { readonly kind: "starting"; readonly since: Date }
  | { readonly kind: "up"; readonly since: Date }
  | { readonly kind: "down"; readonly reason: InfrastructureReason; readonly message: string };

/** What is found at the document's path. */
export type DocumentState =
  | { readonly kind: "read"; readonly document: PreflightDocument }
  | { readonly kind: "missing" }
  | { readonly kind: "invalid"; readonly problems: readonly string[] }
  /** The volume or the file can't be read. */
  | { readonly kind: "unreadable"; readonly message: string };
