import { type Context, type Finding, formatTarget } from "../../model/check.ts";
import { buildPrefix } from "../../model/commands.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { readRisks } from "../shared/risks.ts";
import { getSupportedRange } from "./kubelet.ts";

export const KUBE_PROXY: ObjectRef = {
  apiVersion: "apps/v1",
  kind: "DaemonSet",
  namespace: "kube-system",
  name: "kube-proxy",
};

export const risks = readRisks("kubelet-skew", {
  KubeletNewerThanTarget: {},
  KubeletTooOldForNextMinor: { message: { oldest: formatOldest }, fixKind: "disruptive", fix: buildUnpause },
  KubeletTooOldForTarget: {
    message: {
      oldest: formatOldest,
      paused: (_, { platform }) =>
        platform === "openshift" ? " (a paused MachineConfigPool keeps its nodes behind)" : "",
    },
    fixKind: "disruptive",
    fix: (finding, context) => (context.platform === "openshift" ? buildUnpause(finding, context) : []),
  },
  KubeProxyNewerThanTarget: {},
  KubeProxyTooOldForTarget: { message: { oldest: formatOldest } },
  KubernetesMinorSkipped: {},
});

/** The pool of a node follows from labels that only the machine-config operator weighs up. */
function buildUnpause(_: Finding, { platform }: Context): readonly string[] {
  const pool = "machineconfigpool.machineconfiguration.openshift.io/<pool>";
  return [`${buildPrefix(platform)} patch ${pool} --type=merge -p '{"spec":{"paused":false}}'`];
}

/** "The API server of 5.0.3 (Kubernetes 1.36)". */
export function formatApiServer(context: Context): string {
  return `The API server of ${formatTarget(context)}`;
}

function formatOldest(_: readonly Finding[], context: Context): string {
  return `1.${getSupportedRange(context).oldest}`;
}
