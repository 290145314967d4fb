import type { Blind, Context, Finding, Judgement } from "../../model/check.ts";
import { type Kubelet, nodeRef } from "./node.ts";
import { apiServerText, newerThanTarget, tooOldForNext, tooOldForTarget } from "./risks.ts";
import { type Supported, blockedBelow, supportedKubelets } from "./supported.ts";

type Limits = Supported & { readonly blockedBelow: number };

export function judgeKubelets(kubelets: readonly Kubelet[], context: Context): Judgement {
  const { source } = context.kubernetes;
  const confused = kubelets.some(({ minor }) => minor === undefined || minor > source);
  const limits = { ...supportedKubelets(context), blockedBelow: blockedBelow(context, confused) };
  return {
    findings: kubelets.flatMap((kubelet) => findingFor(kubelet, limits, context)),
    blind: kubelets.filter(({ minor }) => minor === undefined).map(notUnderstood),
  };
}

function findingFor(kubelet: Kubelet, limits: Limits, context: Context): readonly Finding[] {
  const risk = kubelet.minor === undefined ? undefined : riskOf(kubelet.minor, limits);
  if (risk === undefined) return [];
  const message = `Its kubelet is ${kubelet.text}. ${apiServerText(context)} supports 1.${limits.oldest} to 1.${limits.newest}.`;
  return [{ risk, object: nodeRef(kubelet.node), message, detail: { kubeletVersion: kubelet.text } }];
}

function riskOf(minor: number, limits: Limits): string | undefined {
  if (minor > limits.newest) return newerThanTarget.name;
  if (minor >= limits.oldest) return undefined;
  return minor < limits.blockedBelow ? tooOldForNext.name : tooOldForTarget.name;
}

function notUnderstood({ node, text }: Kubelet): Blind {
  const message = text === "" ? "the node reports none" : `"${text}" is no version such as v1.34.2`;
  return { reason: "NotUnderstood", where: `Node ${node} status.nodeInfo.kubeletVersion`, message };
}
