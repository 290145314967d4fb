import type { RiskText } from "../../model/check.ts";
import { buildObjectCommand, buildPatchCommand, quoteArgument } from "../../model/commands.ts";

export const virtualMachineBlocksDrain: RiskText = {
  name: "VirtualMachineBlocksDrain",
  effect: "stuck",
  leadTime: "hours",
  title: "Virtual machines can be neither migrated nor evicted",
  url: "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/virtualization/virt-eviction-strategies",
  describe: (objects, { target }) =>
    `Virtual machines can't be migrated, and KubeVirt refuses to evict them, because their eviction strategy is LiveMigrate: ${objects}. The update to ${target.text} hangs on the nodes that run them.`,
  remediation:
    'Repair what the condition LiveMigratable names ("kubectl describe virtualmachineinstance NAME -n NAMESPACE"). Or set spec.template.spec.evictionStrategy of the VirtualMachine to LiveMigrateIfPossible and restart it, or shut it down for the update.',
  see: ({ object }, { platform }) => [buildObjectCommand(platform, "describe", object)],
  example: {
    object: {
      apiVersion: "kubevirt.io/v1",
      kind: "VirtualMachineInstance",
      namespace: "<namespace>",
      name: "<name>",
    },
  },
  fix: ({ object }, { platform }) => {
    const strategy = { spec: { template: { spec: { evictionStrategy: "LiveMigrateIfPossible" } } } };
    const restart = `virtctl -n ${quoteArgument(object.namespace ?? "")} restart ${quoteArgument(object.name)}`;
    return [buildPatchCommand(platform, { ...object, kind: "VirtualMachine" }, strategy), restart];
  },
};
