import type { RiskText } from "../../model/check.ts";
import { buildObjectCommand, quoteArgument } from "../../model/commands.ts";

const CONTROL_PLANE =
  "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/backup_and_restore/control-plane-backup-and-restore";

export const highlyAvailableControlPlaneIncomplete: RiskText = {
  name: "HighlyAvailableControlPlaneIncomplete",
  effect: "stuck",
  title: "A highly available control plane has fewer than three nodes",
  url: CONTROL_PLANE,
  describe: (objects, { target }, findings) =>
    `${objects} reports a highly available control plane, but it has fewer than three nodes (${findings[0]?.detail?.["nodes"] ?? ""}): etcd and the API fail when one of them restarts during the update to ${target.text}.`,
  remediation:
    'Add control-plane nodes as the linked page describes, and update once "oc get nodes" shows three of them as Ready.',
};

export const controlPlaneNodeUnusable: RiskText = {
  name: "ControlPlaneNodeUnusable",
  effect: "stuck",
  title: "Fewer than three control-plane nodes are ready and schedulable",
  url: CONTROL_PLANE,
  describe: (objects, { target }) =>
    `The update to ${target.text} restarts the control-plane nodes one at a time. etcd can lose its quorum unless three of them are ready and schedulable, and these are not: ${objects}.`,
  remediation:
    'Repair or replace nodes that are not ready, and run "oc adm uncordon NODE" for cordoned ones. "oc get nodes" must show them as Ready without SchedulingDisabled.',
  see: ({ object }, { platform }) => [buildObjectCommand(platform, "describe", object)],
  example: { object: { apiVersion: "v1", kind: "Node", name: "<node>" }, path: "spec.unschedulable" },
  fixKind: "safe",
  fix: ({ object, path }) => (path === "spec.unschedulable" ? [`oc adm uncordon ${quoteArgument(object.name)}`] : []),
};
