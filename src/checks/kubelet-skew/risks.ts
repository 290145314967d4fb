import type { Context, RiskText } from "../../model/check.ts";
import { formatTarget } from "../../model/check.ts";
import { formatMinor } from "../../model/version.ts";
import { getSupportedRange } from "./kubelet-range.ts";

export const kubeletTooOldForNextMinor: RiskText = {
  name: "KubeletTooOldForNextMinor",
  effect: "refused",
  leadTime: "hours",
  title: "Kubelets are too old for the release after the running one",
  url: "https://github.com/openshift/enhancements/blob/master/enhancements/update/eus-upgrades-mvp.md",
  describe: (objects, context) =>
    `${formatApiServer(context)} supports no kubelets before ${formatOldest(context)}, and those of ${objects} already make the cluster-version operator refuse every update beyond ${formatMinor(context.source)}.`,
  remediation: `Update these nodes to the release that the cluster runs: unpause their MachineConfigPools with "oc patch machineconfigpool NAME --type=merge -p '{"spec":{"paused":false}}'", and wait until "oc get machineconfigpools" shows them as updated.`,
  liftedAs: "ClusterOperatorUpgradeable-kube-apiserver",
};

export const kubeletTooOldForTarget: RiskText = {
  name: "KubeletTooOldForTarget",
  effect: "stuck",
  leadTime: "hours",
  title: "Kubelets are too old for the target's API server",
  url: "https://kubernetes.io/releases/version-skew-policy/",
  describe: (objects, context) =>
    `${formatApiServer(context)} supports no kubelets before ${formatOldest(context)}: from its start until they are updated too, ${objects} can fail to run, report or drain pods${context.platform === "openshift" ? " (a paused MachineConfigPool keeps its nodes behind)" : ""}.`,
  remediation:
    'Update these nodes first, or update the cluster to the releases in between and let them follow there, until "kubectl get nodes" shows kubelets that the target supports.',
};

export const kubeletNewerThanTarget: RiskText = {
  name: "KubeletNewerThanTarget",
  effect: "broken",
  title: "Kubelets are newer than the target's API server",
  url: "https://kubernetes.io/releases/version-skew-policy/",
  describe: (objects, context) =>
    `${formatApiServer(context)} supports no kubelets newer than itself: ${objects} can fail to run, report or drain pods.`,
  remediation:
    'Choose a target that is not older than these kubelets, or replace these nodes with older ones until "kubectl get nodes" shows no newer kubelet.',
};

/** "The API server of 5.0.3 (Kubernetes 1.36)". */
export function formatApiServer(context: Context): string {
  return `The API server of ${formatTarget(context)}`;
}

function formatOldest(context: Context): string {
  return `1.${getSupportedRange(context).oldest}`;
}
