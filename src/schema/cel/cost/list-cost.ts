import type { CallCost, CostedCall } from "./call-cost.ts";
import { type Coster, type CostNode, declaredSize } from "./coster.ts";
import { LARGEST, ONE, type Range, UNKNOWN_SIZE, add, asBits, fixed, multiply, scale, wrapped } from "./estimate.ts";

/** The cost of a new list. */
const ALLOCATION = fixed(10);
const CALL_AND_LIST = add(ONE, ALLOCATION);

/** The known size of a node, or else the maximum by the schema. */
export function nodeSize(node: CostNode | undefined, coster: Coster): Range {
  const known = node?.size ?? (node?.path && declaredSize(coster, node.path));
  return known ?? UNKNOWN_SIZE;
}

/** Functions of cel-go's libraries of sets and lists, which estimate themselves. */
export function listCallCost(call: CostedCall, overload: string, coster: Coster): CallCost | undefined {
  const { target, args } = call;
  switch (call.name) {
    case "sets.contains":
    case "sets.intersects":
      return setsCost(args, 1, coster);
    case "sets.equivalent":
      return setsCost(args, 2, coster);
    case "slice":
      return allocating(1, sliceSize(target, args, coster));
    case "flatten":
      return allocating(args.length === 0 ? 1 : parseInt64(args[0], LARGEST), nodeSize(target, coster));
    case "lists.range":
      return allocating(1, fixed(parseInt64(args[0], LARGEST)));
    case "reverse":
      return allocating(1, nodeSize(target, coster));
    case "distinct":
      return allocating(2, squared(nodeSize(target, coster)));
    case "sort":
      return allocating(sortFactor(overload), squared(nodeSize(target, coster)));
    case "@sortByAssociatedKeys":
      return allocating(sortFactor(overload), squared(nodeSize(args[0], coster)));
    default:
      return undefined;
  }
}

function setsCost(args: readonly CostNode[], factor: number, coster: Coster): CallCost {
  const pairs = multiply(nodeSize(args[0], coster), nodeSize(args[1], coster));
  return { cost: add(scale(pairs, factor), ONE) };
}

function allocating(factor: number, size: Range): CallCost {
  return { cost: add(scale(size, factor), CALL_AND_LIST), size };
}

function squared(size: Range): Range {
  return multiply(size, size);
}

function sortFactor(overload: string): number {
  return /list\((?:string|bytes)\)/.test(overload) ? 2.1 : 2;
}

function sliceSize(target: CostNode | undefined, args: readonly CostNode[], coster: Coster): Range {
  const start = parseInt64(args[0], 0);
  const end = parseInt64(args[1], nodeSize(target, coster).max);
  return fixed(wrapped(asBits(end) - asBits(start)));
}

/** A constant; a negative one counts as none. */
function parseInt64(node: CostNode | undefined, otherwise: number): number {
  const literal = node?.expr?.op === "literal" ? node.expr.literal : undefined;
  return literal?.kind === "int" ? Math.max(0, Number(literal.value)) : otherwise;
}
