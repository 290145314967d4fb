import type { Check } from "../model/check.ts";

/** What they find has to be mended before the nodes are updated, which of a hosted cluster comes after its control plane. */
const NODE_CHECKS: ReadonlySet<string> = new Set([
  "drain-blocked",
  "kubelet-skew",
  "node-pools",
  "nodes",
  "pending-csrs",
  "rhel-workers",
  "selinux-mount",
  "statefulset-budgets",
  "virtual-machines",
]);

export function addStage(check: Check): Check {
  return NODE_CHECKS.has(check.id) ? { ...check, special: { ...check.special, stage: "nodes" } } : check;
}
