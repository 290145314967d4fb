import { defineCheck } from "../../model/check.ts";
import { type Each, each, valuesOf } from "../../model/read.ts";
import { type Kubelet, keepKubelet } from "./kubelet.ts";
import { kubeletNewerThanTarget, kubeletTooOldForNextMinor, kubeletTooOldForTarget } from "./risks.ts";
import { judgeKubelets } from "./verdict.ts";

export default defineCheck<{ readonly nodes: Each<Kubelet> }>({
  id: "kubelet-skew",
  name: "KubeletVersionSkew",
  title: "The target's API server supports every node's kubelet",
  risks: [kubeletNewerThanTarget, kubeletTooOldForNextMinor, kubeletTooOldForTarget],
  applies: { kind: "updates", kinds: ["minor", "rollback"] },
  needsManifests: false,
  portable: true,
  seenAfterUpdate: "The kubelets are updated too, except in paused pools.",
  reads: () => ({ nodes: each("v1/nodes", keepKubelet) }),
  evaluate: ({ nodes }, context) =>
    valuesOf(nodes).length === 0
      ? { notApplicable: "The cluster has no nodes." }
      : judgeKubelets(valuesOf(nodes), context),
});
