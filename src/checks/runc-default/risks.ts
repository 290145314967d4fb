import type { RiskText } from "../../model/check.ts";
import { getCommandName } from "../../model/commands.ts";
import { buildPoolRef } from "../shared/machine-config-pools.ts";

export const runcConfiguredForRhel10: RiskText = {
  name: "RuncConfiguredForRhel10",
  effect: "stuck",
  leadTime: "hours",
  title: "Pools on RHEL 10 are configured to run containers with runc",
  url: "https://issues.redhat.com/browse/OCPNODE-4443",
  describe: (objects, { target }) =>
    `RHEL 10 doesn't ship runc, so ${target.text} can't update the nodes of these machine config pools, which are configured for both: ${objects}.`,
  remediation:
    'Make crun the default (set defaultRuntime of the ContainerRuntimeConfig, or delete the MachineConfig that sets runc), or set the pool\'s osImageStream to "rhel-9".',
  example: { object: buildPoolRef("<pool>") },
  fixKind: "disruptive",
  fix: (_, { platform }) => [
    `${getCommandName(platform)} patch containerruntimeconfig.machineconfiguration.openshift.io/<name> --type=merge -p '{"spec":{"containerRuntimeConfig":{"defaultRuntime":"crun"}}}'`,
  ],
};
