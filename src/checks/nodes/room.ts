import type { Node } from "./node.ts";
import {
  type NodeRequests,
  NO_REQUESTS,
  RESOURCES,
  type Requests,
  addRequests,
  subtractRequests,
} from "./pod-requests.ts";

/** A node whose pods don't all fit on the others, and the resource that these lack. */
export type Crowded = { readonly node: string; readonly resource: keyof Requests };

/** Rounding of fractions of cores must not make a node crowded. */
const TOLERANCE = 1e-6;

/**
 * Whatever the scheduler does, pods stay Pending if together they request more than all other nodes have left. It is told only then:
 * affinity, selectors and fragments of room may keep further pods Pending. Nothing is told if a kubelet has not reported its room.
 */
export function findCrowded(nodes: readonly Node[], sums: readonly NodeRequests[]): readonly Crowded[] {
  const byNode = new Map(sums.map((sum) => [sum.node, sum]));
  const open = nodes.filter(isOpen);
  if (open.some(({ allocatable }) => RESOURCES.some((one) => allocatable[one] === 0))) return [];
  const free = new Map(
    open.map(({ name, allocatable }) => [name, subtractRequests(allocatable, byNode.get(name)?.used ?? NO_REQUESTS)]),
  );
  const total = [...free.values()].reduce(addRequests, NO_REQUESTS);
  return nodes.flatMap(({ name, fault }) => {
    const movable = byNode.get(name)?.movable;
    if (fault || movable === undefined) return [];
    const room = subtractRequests(total, free.get(name) ?? NO_REQUESTS);
    const resource = RESOURCES.find((one) => movable[one] > room[one] * (1 + TOLERANCE) + TOLERANCE);
    return resource === undefined ? [] : [{ node: name, resource }];
  });
}

function isOpen({ fault, pressure, isTainted }: Node): boolean {
  return fault === undefined && pressure === undefined && !isTainted;
}
