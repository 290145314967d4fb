import { type JsonObject, textAt } from "../../model/json.ts";
import type { Context } from "../../model/check.ts";
import type { MinorVersion } from "../../model/version.ts";

/** A node and its kubelet. `minor` is that of Kubernetes 1, absent if the text is not such a version. */
export type Kubelet = { readonly node: string; readonly text: string; readonly minor?: number };

/** Vendors append suffixes: v1.33.4+a1b2c3d, v1.31.2-eks-7f9249a. */
const KUBELET_VERSION = /^v?1\.(0|[1-9]\d{0,3})(?:\.\d+)?(?:[-+].*)?$/;

export function keepKubelet(node: JsonObject): Kubelet {
  const text = textAt(node, "status", "nodeInfo", "kubeletVersion") ?? "";
  return { node: textAt(node, "metadata", "name") ?? "", text, minor: parseKubeletMinor(text) };
}

/** The minor of Kubernetes 1, or undefined if the text is not such a version. */
export function parseKubeletMinor(text: string): number | undefined {
  const match = KUBELET_VERSION.exec(text);
  return match ? Number(match[1]) : undefined;
}

/** The first minor of Kubernetes 1 whose API server supports kubelets three minors older; before, it was two. */
const THREE_BEHIND = 28;

/**
 * How many minors of Kubernetes a kubelet may be behind OpenShift's API server, by the rule of
 * cluster-kube-apiserver-operator, in which 4.23 and 5.0 are alike.
 */
export function getAllowedSkew({ major, minor }: MinorVersion): number {
  if (major >= 5) return (minor % 3) + 1;
  return minor % 2 === 0 ? 2 : 1;
}

/** Minors of Kubernetes 1. */
export type KubeletRange = { readonly oldest: number; readonly newest: number };

/** The kubelets that the target's API server supports. */
export function getSupportedRange({ platform, kubernetes, target }: Context): KubeletRange {
  const newest = kubernetes.target;
  if (platform === "openshift") return { oldest: newest - getAllowedSkew(target), newest };
  return { oldest: newest - (newest >= THREE_BEHIND ? 3 : 2), newest };
}

/**
 * Kubelets older than this make the running kube-apiserver operator block every update to a later minor.
 * The operator applies the rule of the release after the running one; only while a kubelet is ahead of the API server or reports no
 * version (`isNextRuleSkipped`) does it report just those that its own API server no longer supports.
 */
export function getBlockedBelow({ platform, kubernetes, source }: Context, isNextRuleSkipped: boolean): number {
  if (platform === "kubernetes") return 0;
  if (isNextRuleSkipped) return kubernetes.source - getAllowedSkew(source);
  return kubernetes.source + 1 - getAllowedSkew({ major: source.major, minor: source.minor + 1 });
}
