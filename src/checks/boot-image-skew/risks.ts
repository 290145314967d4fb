import type { RiskText } from "../../model/check.ts";
import { findLimit, formatLimit } from "./limits.ts";

const URL =
  "https://docs.redhat.com/en/documentation/openshift_container_platform/4.22/html/machine_configuration/mco-update-boot-skew-mgmt";

export const bootImageTooOld: RiskText = {
  name: "BootImageTooOld",
  title: "The boot images are older than the target accepts",
  url: URL,
  describe: (objects, { target }) => {
    const limit = findLimit(target);
    const least = limit.kind === "none" ? "" : ` (at least ${formatLimit(limit.limit)})`;
    return `New nodes would start from boot images older than ${target.text} accepts${least}, says ${objects}: nodes may fail to join, and the machine-config operator reports Upgradeable=False (ClusterBootImageSkewError).`;
  },
  remediation:
    "Update the boot images, and with mode Manual record that in spec.bootImageSkewEnforcement; or set mode None there if no node is ever added.",
};

export const bootImageUpdateFailing: RiskText = {
  name: "BootImageUpdateFailing",
  title: "The automatic update of boot images fails",
  url: URL,
  describe: (objects, { target }) =>
    `The automatic update of boot images fails, says ${objects}: the machine-config operator reports Upgradeable=False (ClusterBootImageSkewError) for it, and the boot images that ${target.text} needs don't arrive.`,
  remediation:
    'See "oc describe machineconfiguration cluster" for the cause and remove it, or set spec.bootImageSkewEnforcement to mode Manual or None.',
};
