import type { RiskText } from "../../model/check.ts";

export const runcConfiguredForRhel10: RiskText = {
  name: "RuncConfiguredForRhel10",
  title: "Pools of RHEL 10 are configured to run containers with runc",
  url: "https://issues.redhat.com/browse/OCPNODE-4443",
  describe: (objects, { target }) =>
    `RHEL 10 has no runc, so ${target.text} can't update the nodes of these machine config pools, which are to run both: ${objects}.`,
  remediation:
    'Make crun the default again (defaultRuntime of the ContainerRuntimeConfig, or delete the MachineConfig that sets runc), or set the pool\'s osImageStream to "rhel-9".',
};
