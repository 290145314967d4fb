import { defineCheck, type Judgement } from "../../model/check.ts";
import { each, get, onlyOn, valuesOf } from "../../model/read.ts";
import { judgeKubeProxy, keepKubeProxy } from "./kube-proxy.ts";
import { keepKubelet } from "./kubelet.ts";
import { risks } from "./risks.ts";
import { judgeKubelets, findSkippedMinors } from "./verdict.ts";
import { mergeJudgements } from "../shared/judgements.ts";

export default defineCheck({
  id: "kubelet-skew",
  name: "KubeletVersionSkew",
  title: "The target's API server supports every node's kubelet and kube-proxy",
  risks: Object.values(risks),
  applies: { kind: "updates", kinds: ["minor", "rollback"] },
  platforms: ["openshift", "kubernetes"],
  seenAfterUpdate: "The kubelets are updated too, except in paused pools.",
  reads: () => ({
    nodes: each("v1/nodes", keepKubelet),
    kubeProxy: onlyOn("kubernetes", get("apps/v1/daemonsets", "kube-system/kube-proxy", keepKubeProxy)),
  }),
  evaluate({ nodes, kubeProxy }, context): Judgement {
    const skipped = findSkippedMinors(context);
    if (valuesOf(nodes).length === 0)
      return skipped.length > 0 ? { findings: skipped } : { notApplicable: "The cluster has no nodes." };
    const judgements = [judgeKubelets(valuesOf(nodes), context), judgeKubeProxy(kubeProxy, context)];
    return mergeJudgements([...judgements, { findings: skipped }]);
  },
});
