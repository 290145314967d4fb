import { type Context, type Finding, type RiskText, formatTarget } from "../../model/check.ts";
import { buildPrefix, formatObjectArgument } from "../../model/commands.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { formatMinor } from "../../model/version.ts";
import { getSupportedRange } from "./kubelet.ts";

export const KUBE_PROXY: ObjectRef = {
  apiVersion: "apps/v1",
  kind: "DaemonSet",
  namespace: "kube-system",
  name: "kube-proxy",
};

export const kubeletTooOldForNextMinor: RiskText = {
  name: "KubeletTooOldForNextMinor",
  effect: "refused",
  leadTime: "hours",
  title: "Kubelets are too old for the release after the running one",
  url: "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/updating_clusters/performing-a-cluster-update",
  describe: (objects, context) =>
    `${formatApiServer(context)} supports no kubelets before ${formatOldest(context)}. Because of those of ${objects}, the cluster-version operator refuses every update beyond ${formatMinor(context.source)}.`,
  remediation: `Update these nodes to the release that the cluster runs: unpause their MachineConfigPools with "oc patch machineconfigpool NAME --type=merge -p '{"spec":{"paused":false}}'", and wait until "oc get machineconfigpools" shows them as updated.`,
  example: { object: { apiVersion: "v1", kind: "Node", name: "<node>" } },
  fixKind: "disruptive",
  fix: buildUnpause,
  knownAs: { liftedAs: "ClusterOperatorUpgradeable-kube-apiserver" },
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
    'Update these nodes first, or update the cluster to the releases in between and let them follow there. "kubectl get nodes" must show kubelets that the target supports.',
  example: { object: { apiVersion: "v1", kind: "Node", name: "<node>" } },
  fixKind: "disruptive",
  fix: (finding, context) => (context.platform === "openshift" ? buildUnpause(finding, context) : []),
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

export const kubeProxyTooOldForTarget: RiskText = {
  name: "KubeProxyTooOldForTarget",
  effect: "broken",
  title: "kube-proxy is too old for the target's API server",
  url: "https://kubernetes.io/releases/version-skew-policy/",
  describe: (_objects, context) =>
    `${formatApiServer(context)} supports no kube-proxy before ${formatOldest(context)}, and that of DaemonSet kube-system/kube-proxy is older: Services can stop working on the nodes.`,
  remediation:
    'Update kube-proxy to the version that the cluster runs, with the tool that installed it or with "kubectl set image -n kube-system daemonset/kube-proxy kube-proxy=IMAGE", until "kubectl rollout status -n kube-system daemonset/kube-proxy" reports success.',
  example: { object: KUBE_PROXY, platform: "kubernetes" },
  fixKind: "disruptive",
  fix: buildSetImage,
};

export const kubeProxyNewerThanTarget: RiskText = {
  name: "KubeProxyNewerThanTarget",
  effect: "broken",
  title: "kube-proxy is newer than the target's API server",
  url: "https://kubernetes.io/releases/version-skew-policy/",
  describe: (_objects, context) =>
    `${formatApiServer(context)} supports no kube-proxy newer than itself, and that of DaemonSet kube-system/kube-proxy is: Services can stop working on the nodes.`,
  remediation:
    'Choose a target that is not older, or set the image of the target\'s version with "kubectl set image -n kube-system daemonset/kube-proxy kube-proxy=IMAGE", until "kubectl rollout status -n kube-system daemonset/kube-proxy" reports success.',
  example: { object: KUBE_PROXY, platform: "kubernetes" },
  fixKind: "disruptive",
  fix: buildSetImage,
};

export const kubernetesMinorSkipped: RiskText = {
  name: "KubernetesMinorSkipped",
  effect: "broken",
  leadTime: "hours",
  title: "The update skips a minor of Kubernetes",
  url: "https://kubernetes.io/releases/version-skew-policy/",
  describe: (_objects, { source, target }) =>
    `The update from Kubernetes ${source.text} to ${target.text} skips minors, which API servers don't support, not even a single one: APIs, stored versions and feature gates stay compatible from one minor to the next only.`,
  remediation:
    'Update the control plane one minor at a time, to the latest patch release of each, until "kubectl version" shows the minor before the target\'s.',
  see: () => ["kubectl version"],
};

/** The pool of a node follows from labels that only the machine-config operator weighs up. */
function buildUnpause(_: Finding, { platform }: Context): readonly string[] {
  const pool = "machineconfigpool.machineconfiguration.openshift.io/<pool>";
  return [`${buildPrefix(platform)} patch ${pool} --type=merge -p '{"spec":{"paused":false}}'`];
}

function buildSetImage({ object }: Finding, { platform }: Context): readonly string[] {
  return [`${buildPrefix(platform, object.namespace)} set image ${formatObjectArgument(object)} kube-proxy=<image>`];
}

/** "The API server of 5.0.3 (Kubernetes 1.36)". */
export function formatApiServer(context: Context): string {
  return `The API server of ${formatTarget(context)}`;
}

function formatOldest(context: Context): string {
  return `1.${getSupportedRange(context).oldest}`;
}
