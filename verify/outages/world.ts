import type { JsonObject } from "../../src/model/json.ts";
import type { SyncKind } from "./update-service.ts";

/** What anybody can see of the cluster. */
export type Observed = {
  readonly clusterVersion: JsonObject;
  readonly runner: { readonly image: string; readonly uid: string } | undefined;
  readonly hasResult: boolean;
  /** What `preflight status` prints. */
  readonly status: string;
  /** How often the controller has written ClusterVersion or preflight-result so far. */
  readonly writes: number;
};

/** A cluster with a controller and a stand-in for its operator: a store in memory, or a control plane. */
export type World = {
  readonly now: () => Date;
  /** The operator syncs, if it runs. */
  readonly sync: (kind: SyncKind) => Promise<void>;
  /** One that starts has no lists, and syncs. */
  readonly startOperator: () => Promise<void>;
  readonly stopOperator: () => Promise<void>;
  readonly setChannel: (channel: string) => Promise<void>;
  /** Requests the preflight, or requests it again. */
  readonly request: () => Promise<void>;
  readonly deleteRunner: () => Promise<void>;
  readonly deleteResult: () => Promise<void>;
  readonly restartController: () => Promise<void>;
  /** Waits until the controller is at rest and nothing that was seen is judged to be wrong. */
  readonly settle: (judge: (observed: Observed) => void) => Promise<Observed>;
  /** How many states a runner passes from its request to its result, each of which is written. */
  readonly startStates: number;
};
