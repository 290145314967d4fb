import { type Json, type JsonObject, at, flagAt, textAt } from "../../model/json.ts";
import { type MaxUnavailable, parseMaxUnavailable } from "../shared/max-unavailable.ts";
import type { Node } from "./node.ts";
import { isRequiredPool } from "../shared/machine-config-pools.ts";

/** A machine config pool with the nodes that it manages. */
export type Pool = {
  readonly name: string;
  /** The update can't complete without this pool. */
  readonly isRequired: boolean;
  readonly isPaused: boolean;
  readonly maxUnavailable: Json | undefined;
};

export function keepPool(object: JsonObject): Pool {
  return {
    name: textAt(object, "metadata", "name") ?? "",
    isRequired: isRequiredPool(object),
    isPaused: flagAt(object, "spec", "paused") === true,
    maxUnavailable: at(object, "spec", "maxUnavailable"),
  };
}

/** How many nodes of a pool are unavailable, and how many may be. */
export type Capacity = {
  readonly pool: Pool;
  readonly max: MaxUnavailable;
  readonly unavailableNodes: readonly Node[];
};

/** A node that the daemon updates is unavailable as well, or soon will be. */
export function buildCapacity(pool: Pool, nodes: readonly Node[]): Capacity {
  const members = nodes.filter((node) => node.pool === pool.name);
  const max = parseMaxUnavailable(pool.maxUnavailable, members.length);
  return { pool, max, unavailableNodes: members.filter(({ fault, isUpdating }) => fault ?? isUpdating) };
}

export function isUsedUp({ max, unavailableNodes }: Capacity): boolean {
  return max.kind === "nodes" && unavailableNodes.length >= max.nodes;
}
