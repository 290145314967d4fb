import type { RiskText } from "../../model/check.ts";

export const selinuxLabelsOfSharedVolumesConflict: RiskText = {
  name: "SELinuxLabelsOfSharedVolumesConflict",
  title: "Pods share volumes with different SELinux labels",
  url: "https://github.com/openshift/enhancements/blob/master/enhancements/storage/selinuxmount-ga-block-upgrade.md",
  describe: (objects, { target }) =>
    `${objects} says that pods with different SELinux labels share a volume: ${target.text} mounts a volume with one label, so that only some of these pods start.`,
  remediation:
    "Find them by the metric selinux_warning_controller_selinux_volume_conflict, give them the same label, or set seLinuxChangePolicy Recursive for them.",
  liftedAs: "ClusterOperatorUpgradeable-storage",
};
