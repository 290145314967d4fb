import type { RiskText } from "../../model/check.ts";
import { getCommandName } from "../../model/commands.ts";
import { CONFLICT_REPORT } from "./conflict-report.ts";

export const selinuxLabelsOfSharedVolumesConflict: RiskText = {
  name: "SELinuxLabelsOfSharedVolumesConflict",
  effect: "refused",
  title: "Pods share volumes with different SELinux labels",
  url: "https://kubernetes.io/docs/tasks/configure-pod-container/security-context/#efficient-selinux-volume-relabeling",
  describe: (objects, { target }) =>
    `${objects} reports that pods with different SELinux labels share a volume: ${target.text} mounts a volume with only one label, so some of these pods don't start.`,
  remediation:
    "Find the pods with the metric selinux_warning_controller_selinux_volume_conflict, and give them the same label or set seLinuxChangePolicy: Recursive for them. Update once conflictsPresent in ConfigMap openshift-config/selinux-conflicts is False.",
  knownAs: { liftedAs: "ClusterOperatorUpgradeable-storage" },
  example: { object: CONFLICT_REPORT },
  fixKind: "disruptive",
  fix: (_, { platform }) => [
    `${getCommandName(platform)} -n <namespace> patch <workload> --type=merge -p '{"spec":{"template":{"spec":{"securityContext":{"seLinuxChangePolicy":"Recursive"}}}}}'`,
  ],
};
