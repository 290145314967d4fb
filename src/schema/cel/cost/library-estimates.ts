import { PATTERN, TRAVERSAL } from "../values/size.ts";
import { type Estimate, type Estimates, estimateSameSize, estimateTraversal, operandSize } from "./call-estimate.ts";
import { ONE, type Range, ZERO, add, fixed, scale } from "./estimate.ts";

/** The size of the result came with the cost of comparing it. */
const estimateUrl: Estimate = (call) => {
  const { cost, size } = estimateSameSize(call);
  return { cost, size: call.coster.rules.knowsLibraryEquality ? size : undefined };
};

/** Half of a selector's characters, each with a list and a struct. */
const SELECTOR = { list: fixed(10), requirement: 0.5, each: 50 };

const estimateSelector: Estimate = (call) => {
  const length = operandSize(call, 1);
  const requirements = scale(scale(length, SELECTOR.requirement), SELECTOR.each);
  return { cost: add(SELECTOR.list, scale(length, TRAVERSAL), requirements) };
};

/** Addresses have 4 or 16 bytes. */
const BYTES: Range = { min: 4, max: 16 };
const COMPARED = scale(add(BYTES, BYTES), TRAVERSAL);
const MASKED = add(scale(BYTES, TRAVERSAL), ONE);

/** Whether a network contains another one, or an address, which is read first if it is a text. */
function estimateContainment(type: string, masked: Range): Readonly<Record<string, Estimate>> {
  const compared = add(COMPARED, masked);
  return {
    "net.CIDR.(string)": (call) => ({ cost: add(compared, scale(operandSize(call, 1), TRAVERSAL)) }),
    [`net.CIDR.(${type})`]: () => ({ cost: compared }),
  };
}

const MAX_PATTERN_SIZE = 128;

/** Kubernetes' libraries of values. Source: apiserver's pkg/cel/library/cost.go. */
export const LIBRARY_ESTIMATES: Estimates = {
  url: estimateUrl,
  quantity: estimateTraversal(1),
  isQuantity: estimateTraversal(1),
  semver: estimateTraversal(1),
  isSemver: estimateTraversal(1),
  ip: { "(string)": estimateTraversal(1) },
  isIP: estimateTraversal(1),
  "ip.isCanonical": estimateTraversal(2),
  cidr: estimateTraversal(1),
  isCIDR: estimateTraversal(1),
  containsIP: estimateContainment("net.IP", ZERO),
  containsCIDR: estimateContainment("net.CIDR", MASKED),
  validate: (call) => ({ cost: scale(scale(operandSize(call, 1), TRAVERSAL), MAX_PATTERN_SIZE * PATTERN) }),
  fieldSelector: estimateSelector,
  labelSelector: estimateSelector,
  check: () => ({ cost: fixed(350_000) }),
};
