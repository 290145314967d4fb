import type { AdminApi } from "../api-server/admin-api.ts";
import type { ControlPlane } from "../api-server/control-plane.ts";
import type { Random } from "../schema/random/random.ts";

/** Two neighboring releases, and how the server that plays them behaves. */
export type PlayedPair = {
  readonly source: string;
  readonly target: string;
  /** Kubernetes minors that the server emulates before and after; undefined where no server of that behavior can be had. */
  readonly emulated: { readonly before: number; readonly after: number } | undefined;
};

export type PlayedWorld = {
  readonly cluster: ControlPlane;
  readonly api: AdminApi;
  readonly pair: PlayedPair;
  readonly random: Random;
  /** The folder of the target's payload, to which a fault may add manifests before the check. */
  readonly payload: string;
};

/**
 * What happened to one object, or was said of it. `object` is "kind namespace/name" or "kind name", with the kind in the finding's
 * spelling; `effect` is one of rejected, ratcheted, dropped, unreadable, refused, gone, evictionRefused and the like.
 */
export type Fate = { readonly risk: string; readonly object: string; readonly effect?: string };

/** Something that a check should find, planted in a cluster before it is updated. */
export type PlantedFault = {
  readonly check: string;
  readonly name: string;
  /** The risks of the check that it shows. Findings of its other risks are not compared. */
  readonly risks: readonly string[];
  /** Whether the check runs only if `--only` names it. */
  readonly isOnRequest?: true;
  /** True, or why this pair or server can't show it. */
  readonly applies: (pair: PlayedPair) => true | string;
  /** Before the check. Also plants look-alikes that must not be reported. */
  readonly plant: (world: PlayedWorld) => Promise<void>;
  /** After the update: what really happened to the planted objects, and nothing for those to which nothing happened. */
  readonly observe: (world: PlayedWorld) => Promise<readonly Fate[]>;
};
