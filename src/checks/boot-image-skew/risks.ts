import type { RiskText } from "../../model/check.ts";
import { buildObjectCommand } from "../../model/commands.ts";
import { findLimit, formatLimit } from "./boot-image.ts";
import { MACHINE_CONFIGURATION } from "./skew-status.ts";

const URL =
  "https://docs.redhat.com/en/documentation/openshift_container_platform/4.22/html/machine_configuration/mco-update-boot-skew-mgmt";

export const bootImageTooOld: RiskText = {
  name: "BootImageTooOld",
  effect: "refused",
  leadTime: "hours",
  title: "The boot images are older than the target accepts",
  url: URL,
  describe: (objects, { target }) => {
    const limit = findLimit(target);
    const least = limit.kind === "none" ? "" : ` (at least ${formatLimit(limit.limit)})`;
    return `New nodes start from boot images older than ${target.text} accepts${least}, according to ${objects}: they may fail to join, and the machine-config operator reports Upgradeable=False (ClusterBootImageSkewError).`;
  },
  remediation:
    'Update the boot images as the linked page describes; with mode Manual, record the new version in spec.bootImageSkewEnforcement of MachineConfiguration cluster, or set mode None there if no node is ever added. "oc describe machineconfiguration cluster" then shows the new version or mode in its status.',
  example: { object: MACHINE_CONFIGURATION },
  fixKind: "weakening",
  fix: ({ object }, { platform }) => [buildObjectCommand(platform, "edit", object)],
};

export const bootImageUpdateFailing: RiskText = {
  name: "BootImageUpdateFailing",
  effect: "refused",
  leadTime: "hours",
  title: "The automatic update of boot images fails",
  url: URL,
  describe: (objects, { target }) =>
    `The automatic update of boot images fails, according to ${objects}: the machine-config operator reports Upgradeable=False (ClusterBootImageSkewError), and new nodes don't get the boot images that ${target.text} requires.`,
  remediation:
    'Remove the cause that "oc describe machineconfiguration cluster" shows, until its condition BootImageUpdateDegraded is False, or set spec.bootImageSkewEnforcement there to mode Manual or None.',
  see: ({ object }, { platform }) => [buildObjectCommand(platform, "describe", object)],
  example: { object: MACHINE_CONFIGURATION },
  fixKind: "weakening",
  fix: ({ object }, { platform }) => [buildObjectCommand(platform, "edit", object)],
};
