import { formatTarget, type RiskText } from "../../model/check.ts";

export const containerdTooOld: RiskText = {
  name: "ContainerdTooOldForTarget",
  effect: "broken",
  leadTime: "days",
  title: "containerd is too old for the target's kubelet",
  url: "https://kubernetes.io/blog/2025/12/17/kubernetes-v1-35-release/",
  describe: (objects, context) =>
    `Kubernetes 1.35 is the last release that supports containerd 1.x. The kubelets of ${formatTarget(context)} can fail to start, or to run pods, on ${objects}.`,
  remediation:
    'Update containerd to 2.x on these nodes, or replace them with nodes that have it, until "kubectl get nodes -o wide" shows containerd://2 or later for each.',
};
