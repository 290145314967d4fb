import type { RiskText } from "../../model/check.ts";

export const virtualMachineBlocksDrain: RiskText = {
  name: "VirtualMachineBlocksDrain",
  effect: "stuck",
  title: "Virtual machines can be neither migrated nor evicted",
  url: "https://kubevirt.io/user-guide/cluster_admin/node_maintenance/",
  describe: (objects, { target }) =>
    `Virtual machines can't be migrated, and KubeVirt refuses to evict them, because their eviction strategy is LiveMigrate: ${objects}. Their nodes can't be drained, and the update to ${target.text} stops at them.`,
  remediation:
    'Repair what the condition LiveMigratable names ("kubectl describe virtualmachineinstance NAME -n NAMESPACE"), or set spec.template.spec.evictionStrategy of the VirtualMachine to LiveMigrateIfPossible and restart it, or shut it down for the update.',
};
