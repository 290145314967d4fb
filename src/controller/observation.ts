import type { GatedFields } from "../lift/objects/gated-fields.ts";
import type { DocumentState } from "../lift/progress/runner-state.ts";
import type { JsonObject } from "../model/json.ts";

/** Whether a cluster-version operator runs, and whether it serves the mode Preflight itself. */
export type OperatorState =
  | { readonly kind: "absent" }
  | { readonly kind: "running"; readonly holder: string; readonly canServeMode: boolean }
  /** Its lease can't be read, so the controller assumes that it runs. */
  | { readonly kind: "unknown"; readonly message: string };

/** Whether the cluster trusts the signature of the image that is to run. */
export type SignatureState =
  | { readonly kind: "verified" }
  | { readonly kind: "pending" }
  | { readonly kind: "notVerified"; readonly message: string };

/** What the API server did with the last writes. */
export type WriteOutcomes = {
  /** The API server's message if it just refused the Deployment. */
  readonly deploymentRefusal?: string;
  /** The conditions that the API server accepted but did not store, as `findDroppedConditions` returns them. */
  readonly droppedConditions?: string;
};

/** Everything the controller acts on, read at one moment. It keeps no other state, so a restart changes nothing. */
export type Observation = WriteOutcomes & {
  readonly clusterVersion: JsonObject;
  readonly fields: GatedFields;
  readonly operator: OperatorState;
  readonly request?: JsonObject;
  readonly result?: JsonObject;
  readonly history?: JsonObject;
  /** The Deployment of the runner's name, which may be somebody else's. */
  readonly deployment?: JsonObject;
  readonly pods: readonly JsonObject[];
  /** The kubelet's mount failures, by pod name. */
  readonly mountFailures: ReadonlyMap<string, string>;
  readonly document: DocumentState;
  /** Why the runner can't be where the request wants it. */
  readonly misplacement?: string;
  /** Absent if no signature has to be verified. */
  readonly signature?: SignatureState;
};
