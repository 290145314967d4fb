import type { RiskText } from "../../model/check.ts";

const CONTROL_PLANE =
  "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/backup_and_restore/control-plane-backup-and-restore";

export const highlyAvailableControlPlaneIncomplete: RiskText = {
  name: "HighlyAvailableControlPlaneIncomplete",
  title: "A highly available control plane has fewer than three nodes",
  url: CONTROL_PLANE,
  describe: (objects, { target }, findings) =>
    `${objects} says that the control plane is highly available, and it has fewer than three nodes (${findings[0]?.detail?.["nodes"] ?? ""}): the update to ${target.text} takes etcd and the API down when one of them restarts.`,
  remediation: "Add control-plane nodes until there are three.",
};

export const controlPlaneNodeUnusable: RiskText = {
  name: "ControlPlaneNodeUnusable",
  title: "Fewer than three control-plane nodes are ready and schedulable",
  url: CONTROL_PLANE,
  describe: (objects, { target }) =>
    `The update to ${target.text} restarts the control-plane nodes one by one, for which three must be ready and schedulable, and these are not: ${objects}.`,
  remediation: 'Repair or replace nodes that are not ready, and release cordoned ones with "oc adm uncordon".',
};
