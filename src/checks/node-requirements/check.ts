import { defineCheck, type Judgement } from "../../model/check.ts";
import { each, onlyOn, valuesOf } from "../../model/read.ts";
import { buildCgroupNotices } from "./cgroups.ts";
import { judgeContainerd } from "./containerd.ts";
import { keepNodeSoftware } from "./node.ts";
import { containerdTooOld } from "./risks.ts";

export default defineCheck({
  id: "node-requirements",
  title: "The software of the nodes is new enough for the target's kubelet",
  risks: [containerdTooOld],
  applies: { kind: "updates", kinds: ["minor"] },
  platforms: ["kubernetes"],
  reads: () => ({ nodes: onlyOn("kubernetes", each("v1/nodes", keepNodeSoftware)) }),
  evaluate({ nodes }, context): Judgement {
    const values = valuesOf(nodes);
    if (values.length === 0) return { notApplicable: "The cluster has no nodes." };
    return { ...judgeContainerd(values, context), notices: buildCgroupNotices(values, context) };
  },
});
