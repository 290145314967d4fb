import type { Finding, RiskText } from "../../model/check.ts";
import { buildObjectCommand, buildPrefix, quoteArgument } from "../../model/commands.ts";
import { buildPoolRef } from "../shared/machine-config-pools.ts";

export const machineConfigPoolCapacityUsedUp: RiskText = {
  name: "MachineConfigPoolCapacityUsedUp",
  effect: "stuck",
  leadTime: "hours",
  title: "As many nodes of a pool are unavailable as its maxUnavailable allows",
  url: "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/machine_configuration/machine-config-index",
  describe: (objects, { target }, findings) =>
    `As many nodes of ${objects} are unavailable as spec.maxUnavailable allows (${joinDetails(findings, "nodes")}), so the machine-config operator updates no node there to ${target.text}${formatWaiting(findings)}.`,
  remediation:
    'Repair or replace these nodes ("oc describe node NAME" shows the conditions), run "oc adm uncordon NODE" for cordoned ones, and update once "oc get nodes" shows them as Ready without SchedulingDisabled.',
  see: (_, { platform }) => [`${buildPrefix(platform)} get nodes`],
  example: { object: buildPoolRef("<pool>"), detail: { cordoned: "<node>" } },
  fixKind: "safe",
  fix: ({ detail }, { platform }) => {
    const names = (detail?.["cordoned"] ?? "").split(", ").filter((name) => name !== "");
    return names.map((name) => `${buildPrefix(platform)} adm uncordon ${quoteArgument(name)}`);
  },
};

const MAX_POOLS = 3;

/** The update waits for some pools only. */
function formatWaiting(findings: readonly Finding[]): string {
  return findings.some(({ detail }) => detail?.["isRequired"] === "true") ? ", and the update can't complete" : "";
}

function joinDetails(findings: readonly Finding[], key: string): string {
  return findings
    .slice(0, MAX_POOLS)
    .map(({ detail }) => detail?.[key] ?? "")
    .join("; ");
}

export const controlPlaneNodeNotReady: RiskText = {
  name: "ControlPlaneNodeNotReady",
  effect: "refused",
  leadTime: "hours",
  title: "A control-plane node is not ready",
  url: "https://kubernetes.io/docs/tasks/administer-cluster/kubeadm/kubeadm-upgrade/",
  describe: (objects, { target }) =>
    `Control-plane nodes are not ready: ${objects}. "kubeadm upgrade" refuses to begin with Kubernetes ${target.text} while one is not ready.`,
  remediation: 'Repair or replace these nodes, and upgrade once "kubectl get nodes" shows them as Ready.',
  see: ({ object }, { platform }) => [buildObjectCommand(platform, "describe", object)],
};
