import type { CrdFields } from "../lift/fields.ts";
import type { DocumentState } from "../lift/runner-state.ts";
import type { JsonObject } from "../model/json.ts";

/** The cluster-version operator: whether one runs, and whether it serves the mode Preflight itself. */
export type Operator =
  | { readonly kind: "absent" }
  | { readonly kind: "running"; readonly holder: string; readonly servesMode: boolean }
  /** Its lease can't be read: it is taken for running. */
  | { readonly kind: "unknown"; readonly message: string };

/** Everything that the controller acts upon, read at one moment. Nothing else is remembered, so that a restart changes nothing. */
export type Observed = {
  readonly clusterVersion: JsonObject;
  readonly fields: CrdFields;
  /** Is status.conditions a map by type, so that everybody owns their own? Before 4.16 it is one list. */
  readonly conditionsAreShared: boolean;
  readonly operator: Operator;
  readonly request?: JsonObject;
  readonly result?: JsonObject;
  readonly history?: JsonObject;
  /** The runner's, or somebody else's by its name. */
  readonly deployment?: JsonObject;
  readonly pods: readonly JsonObject[];
  /** Why the pods' volumes can't be mounted, by pod name, in the kubelet's words. */
  readonly mountTroubles: ReadonlyMap<string, string>;
  readonly document: DocumentState;
  /** What the API server said when it refused the Deployment a moment ago. */
  readonly refusal?: string;
};
