import { type CallCost, type CostedCall, PATTERN, TRAVERSAL, patternCost } from "./call-cost.ts";
import type { Coster, CostNode } from "./coster.ts";
import { append } from "./data-path.ts";
import { LARGEST, ONE, type Range, ZERO, add, fixed, multiply, scale } from "./estimate.ts";
import { nodeSize } from "./list-cost.ts";
import { isSameType } from "../check/types.ts";

/** Functions of constant cost. */
const NOMINAL = new Set(
  (
    "serviceAccount path group resource subresource namespace name allowed reason error errored " +
    "masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast format.named " +
    "sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor patch " +
    "getScheme getHostname getHost getPort getEscapedPath getQuery"
  ).split(" "),
);
const OVER_LIST = new Set(["isSorted", "sum", "max", "min", "indexOf", "lastIndexOf"]);
/** Functions that read the text they are given, or called on, once. */
const READS_ARGUMENT = new Set("cidr isIP isCIDR quantity isQuantity semver isSemver".split(" "));
const CHANGES_TARGET = new Set(["lowerAscii", "upperAscii", "substring", "trim"]);
const AUTHORIZATION = fixed(350_000);
/** Half of a selector's characters, each with a list and a struct. */
const SELECTOR = { list: fixed(10), requirement: 0.5, each: 50 };

/** Functions of Kubernetes' libraries; those of the language are estimated elsewhere. */
export function libraryCost(call: CostedCall, overload: string, coster: Coster): CallCost | undefined {
  const { name, target, args } = call;
  if (NOMINAL.has(name)) return { cost: ONE };
  if (OVER_LIST.has(name)) return target && overListCost(target, coster);
  if (READS_ARGUMENT.has(name)) return args[0] && { cost: traversed(args[0], 1, coster) };
  if (CHANGES_TARGET.has(name)) return target && unchangedSize(target, coster);
  switch (name) {
    case "check":
      return { cost: AUTHORIZATION };
    case "fieldSelector":
    case "labelSelector":
      return args.length === 1 ? { cost: selectorCost(nodeSize(args[0], coster)) } : undefined;
    case "url":
      return args[0] && args.length === 1 ? unchangedSize(args[0], coster) : undefined;
    case "replace":
      return target && args.length >= 2 ? replaceCost(target, args, coster) : undefined;
    case "split":
      return target && splitCost(target, args, coster);
    case "join":
      return target && joinCost(target, args, coster);
    case "find":
    case "findAll":
      return target && args[0] && findCost(target, args[0], coster);
    case "ip":
      return overload === "ip net.CIDR.()" ? { cost: ONE } : args[0] && { cost: traversed(args[0], 1, coster) };
    case "ip.isCanonical":
      return args[0] && { cost: traversed(args[0], 2, coster) };
    case "containsIP":
    case "containsCIDR":
      return args[0] && containsCost(name, overload, args[0], coster);
    case "validate":
      return args[0] && { cost: scale(traversed(args[0], 1, coster), 128 * PATTERN) };
    case "_==_":
      return equalityCost(args);
    default:
      return undefined;
  }
}

function traversed(node: CostNode, times: number, coster: Coster): Range {
  return scale(nodeSize(node, coster), times * TRAVERSAL);
}

function unchangedSize(node: CostNode, coster: Coster): CallCost {
  return { cost: traversed(node, 1, coster), size: nodeSize(node, coster) };
}

function selectorCost(length: Range): Range {
  const requirements = scale(scale(length, SELECTOR.requirement), SELECTOR.each);
  return add(SELECTOR.list, scale(length, TRAVERSAL), requirements);
}

/** The elements of a list, if it is one: where they are in the object gives their size. */
function getElement(list: CostNode): CostNode | undefined {
  const [type] = list.type.parameters;
  if (type === undefined) return undefined;
  const path =
    list.path && list.path.length > 0 ? append({ ...list.path, capacity: list.path.length }, "@items") : undefined;
  return { path, type, expr: undefined, size: undefined };
}

function overListCost(target: CostNode, coster: Coster): CallCost {
  const element = getElement(target);
  if (element === undefined) return { cost: traversed(target, 1, coster) };
  const isText = element.type.kind === "string" || element.type.kind === "bytes";
  const each = isText ? add(ONE, traversed(element, 1, coster)) : ONE;
  return { cost: multiply(nodeSize(target, coster), each) };
}

function replaceCost(target: CostNode, [old, by]: readonly CostNode[], coster: Coster): CallCost {
  const [text, from, to] = [nodeSize(target, coster), nodeSize(old, coster), nodeSize(by, coster)];
  const [most, mostKept] = replacements(text.max, from.min, to.max <= from.min);
  const [least, leastKept] = replacements(text.min, from.max, from.max <= to.min);
  const size = add(multiply({ min: least, max: most }, to), { min: leastKept, max: mostKept });
  return { cost: scale(text, 2 * TRAVERSAL), size };
}

/** How many replacements a text allows, and the size of the rest; an empty text is replaced between all characters. */
function replacements(text: number, from: number, isBound: boolean): readonly [count: number, kept: number] {
  if (from === 0) return [Math.min(text + 1, LARGEST), text];
  return isBound ? [0, text] : [Math.ceil(text / from), 0];
}

function splitCost(target: CostNode, args: readonly CostNode[], coster: Coster): CallCost {
  const text = nodeSize(target, coster);
  const literal = args[1]?.expr?.op === "literal" ? args[1].expr.literal : undefined;
  const max = literal?.kind === "int" ? Number(BigInt.asUintN(64, literal.value)) : text.max;
  return { cost: scale(text, 2 * TRAVERSAL), size: { min: 0, max } };
}

function joinCost(target: CostNode, [separator]: readonly CostNode[], coster: Coster): CallCost {
  const list = nodeSize(target, coster);
  const element = getElement(target);
  const texts = element ? multiply(list, nodeSize(element, coster)) : ZERO;
  const between = { min: Math.max(0, list.min - 1), max: Math.max(0, list.max - 1) };
  const size = separator ? add(texts, multiply(nodeSize(separator, coster), between)) : texts;
  return { cost: scale(size, TRAVERSAL), size };
}

function findCost(target: CostNode, pattern: CostNode, coster: Coster): CallCost {
  const text = nodeSize(target, coster);
  return { cost: patternCost(text, nodeSize(pattern, coster)), size: { min: 0, max: text.max } };
}

/** Addresses have 4 or 16 bytes; one that is given as text is read first. */
function containsCost(name: string, overload: string, argument: CostNode, coster: Coster): CallCost {
  const bytes = { min: 4, max: 16 };
  const compared = scale(add(bytes, bytes), TRAVERSAL);
  const masked = name === "containsCIDR" ? add(scale(bytes, TRAVERSAL), ONE) : ZERO;
  const parsed = overload.endsWith("(string)") ? traversed(argument, 1, coster) : ZERO;
  return { cost: add(compared, masked, parsed) };
}

const QUICK = new Set(["net.IP", "net.CIDR", "kubernetes.Quantity", "kubernetes.Semver"]);

function equalityCost([left, right]: readonly CostNode[]): CallCost | undefined {
  if (left === undefined || right === undefined || !isSameType(left.type, right.type, true)) return undefined;
  const { kind, name } = left.type;
  if (kind !== "opaque" && kind !== "struct") return undefined;
  if (QUICK.has(name) || name.startsWith("kubernetes.authorization.")) return { cost: ONE };
  if (name === "kubernetes.NamedFormat") return { cost: scale({ min: 1, max: 64 }, TRAVERSAL) };
  return name === "kubernetes.URL" ? { cost: scale({ min: 1, max: (right.size ?? ONE).max }, TRAVERSAL) } : undefined;
}
