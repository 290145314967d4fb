import type { Unknown, Context, Finding, Judgement } from "../../model/check.ts";
import { buildNodeRef } from "../../model/resource.ts";
import { type Kubelet, type KubeletRange, getBlockedBelow, getSupportedRange } from "./kubelet.ts";
import { formatApiServer, risks } from "./risks.ts";
import { formatMinor } from "../../model/version.ts";

type KubeletLimits = KubeletRange & { readonly blockedBelow: number };

export function judgeKubelets(kubelets: readonly Kubelet[], context: Context): Judgement {
  const { source } = context.kubernetes;
  const isNextRuleSkipped = kubelets.some(({ minor }) => minor === undefined || minor > source);
  const limits = { ...getSupportedRange(context), blockedBelow: getBlockedBelow(context, isNextRuleSkipped) };
  return {
    findings: kubelets.flatMap((kubelet) => buildFindings(kubelet, limits, context)),
    unknowns: kubelets.filter(({ minor }) => minor === undefined).map(buildUnknown),
  };
}

function buildFindings(kubelet: Kubelet, limits: KubeletLimits, context: Context): readonly Finding[] {
  const risk = kubelet.minor === undefined ? undefined : findRiskName(kubelet.minor, limits);
  if (risk === undefined) return [];
  const message = `Its kubelet is ${kubelet.text}. ${formatApiServer(context)} supports 1.${limits.oldest} to 1.${limits.newest}.`;
  return [{ risk, object: buildNodeRef(kubelet.node), message, detail: { kubeletVersion: kubelet.text } }];
}

function findRiskName(minor: number, limits: KubeletLimits): string | undefined {
  if (minor > limits.newest) return risks.KubeletNewerThanTarget.name;
  if (minor >= limits.oldest) return undefined;
  return minor < limits.blockedBelow ? risks.KubeletTooOldForNextMinor.name : risks.KubeletTooOldForTarget.name;
}

function buildUnknown({ node, text }: Kubelet): Unknown {
  const message = text === "" ? "the node reports none" : `"${text}" is not a version such as v1.34.2`;
  return { reason: "NotUnderstood", where: `Node ${node} status.nodeInfo.kubeletVersion`, message };
}

/** OpenShift's releases lead through each minor by themselves; elsewhere, an administrator picks the next API server. */
export function findSkippedMinors({ platform, source, target, update }: Context): readonly Finding[] {
  if (platform === "openshift" || update !== "minor" || target.minor - source.minor < 2) return [];
  const skipped = Array.from({ length: target.minor - source.minor - 1 }, (_, i) => `1.${source.minor + 1 + i}`);
  const message = `It runs ${formatMinor(source)}, and the update skips ${skipped.join(", ")}.`;
  return [
    {
      risk: risks.KubernetesMinorSkipped.name,
      object: { apiVersion: "v1", kind: "Component", name: "kube-apiserver" },
      message,
      detail: { skipped: skipped.join(" ") },
    },
  ];
}
