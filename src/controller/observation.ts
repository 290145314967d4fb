import type { GatedFields } from "../lift/objects/gated-fields.ts";
import type { DocumentState } from "../lift/progress/runner-state.ts";
import type { JsonObject } from "../model/json.ts";

/** The cluster-version operator: whether one runs, and whether it serves the mode Preflight itself. */
export type OperatorState =
  | { readonly kind: "absent" }
  | { readonly kind: "running"; readonly holder: string; readonly canServeMode: boolean }
  /** Its lease can't be read: it is taken for running. */
  | { readonly kind: "unknown"; readonly message: string };

/** Everything that the controller acts upon, read at one moment. Nothing else is remembered, so that a restart changes nothing. */
export type Observation = {
  readonly clusterVersion: JsonObject;
  readonly fields: GatedFields;
  /** Is status.conditions a map by type, so that everybody owns their own? Before 4.16 it is one list. */
  readonly hasConditionMap: boolean;
  readonly operator: OperatorState;
  readonly request?: JsonObject;
  readonly result?: JsonObject;
  readonly history?: JsonObject;
  /** The runner's, or somebody else's by its name. */
  readonly deployment?: JsonObject;
  readonly pods: readonly JsonObject[];
  /** Why the pods' volumes can't be mounted, by pod name, in the kubelet's words. */
  readonly mountFailures: ReadonlyMap<string, string>;
  readonly document: DocumentState;
  /** What the API server said when it refused the Deployment a moment ago. */
  readonly deploymentRefusal?: string;
};
