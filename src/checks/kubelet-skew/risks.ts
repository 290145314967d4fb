import type { Context, RiskText } from "../../model/check.ts";
import { formatMinor } from "../../model/version.ts";
import { getSupportedRange } from "./kubelet-range.ts";

export const kubeletTooOldForNextMinor: RiskText = {
  name: "KubeletTooOldForNextMinor",
  title: "Kubelets are too old for the release after the running one",
  url: "https://github.com/openshift/enhancements/blob/master/enhancements/update/eus-upgrades-mvp.md",
  describe: (objects, context) =>
    `${formatApiServer(context)} supports no kubelets before ${formatOldest(context)}, and those of ${objects} already keep the cluster from every update beyond ${formatMinor(context.source)}.`,
  remediation:
    "Let these nodes update to the release that the cluster runs first: unpause their MachineConfigPools and wait until they are updated.",
  liftedAs: "ClusterOperatorUpgradeable-kube-apiserver",
};

export const kubeletTooOldForTarget: RiskText = {
  name: "KubeletTooOldForTarget",
  title: "Kubelets are too old for the target's API server",
  url: "https://kubernetes.io/releases/version-skew-policy/",
  describe: (objects, context) =>
    `${formatApiServer(context)} supports no kubelets before ${formatOldest(context)}: from the moment that it runs until they are updated too, ${objects} can fail to run, report or drain pods.`,
  remediation:
    "Update these nodes first, or stop at the releases in between and let them catch up there; where their MachineConfigPool is paused, unpause it.",
};

export const kubeletNewerThanTarget: RiskText = {
  name: "KubeletNewerThanTarget",
  title: "Kubelets are newer than the target's API server",
  url: "https://kubernetes.io/releases/version-skew-policy/",
  describe: (objects, context) =>
    `${formatApiServer(context)} supports no kubelets that are newer than itself: ${objects} can fail to run, report or drain pods.`,
  remediation: "Choose a target that is not older than these kubelets, or replace these nodes by older ones first.",
};

/** "The API server of 5.0.3 (Kubernetes 1.36)". */
export function formatApiServer({ platform, target, kubernetes }: Context): string {
  if (platform === "kubernetes") return `The API server of Kubernetes ${target.text}`;
  return `The API server of ${target.text} (Kubernetes 1.${kubernetes.target})`;
}

function formatOldest(context: Context): string {
  return `1.${getSupportedRange(context).oldest}`;
}
