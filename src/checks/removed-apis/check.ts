import { type Blind, type Context, defineCheck, type Judgement } from "../../model/check.ts";
import { each, onlyOn, raw, valuesOf } from "../../model/read.ts";
import { goes } from "./api.ts";
import { isWanted, keepMetrics } from "./metrics.ts";
import { keepRequestCount } from "./request-counts.ts";
import { risk } from "./risks.ts";
import { KNOWN_UNTIL, servedByDefault } from "./table.ts";
import { verdictOn } from "./verdict.ts";

export default defineCheck({
  id: "removed-apis",
  name: "RemovedApis",
  title: "No client asks for Kubernetes APIs that the target removes",
  risks: [risk],
  applies: { kind: "updates", kinds: ["minor"] },
  needsManifests: false,
  portable: true,
  reads: () => ({
    counts: onlyOn("openshift", each("apiserver.openshift.io/v1/apirequestcounts", keepRequestCount)),
    metrics: onlyOn("kubernetes", raw("/metrics", keepMetrics, isWanted)),
  }),
  evaluate({ counts, metrics }, context): Judgement {
    if (context.platform === "openshift")
      return counts.kind === "absent" ? uncounted(COUNTS, context) : verdictOn(valuesOf(counts), context);
    return metrics.kind === "absent" ? uncounted("/metrics", context) : verdictOn(metrics.value, context);
  },
});

const COUNTS = "apirequestcounts.apiserver.openshift.io";

/** Nobody counts what is asked for: that matters only where the target may remove something. */
function uncounted(where: string, context: Context): Judgement {
  const removes = servedByDefault.some((one) => goes(one[context.platform], context));
  if (!removes && context.kubernetes.target <= KNOWN_UNTIL) return {};
  const message = "the API server doesn't serve it, so that nothing tells who asks for what the target removes";
  const blind: Blind = { reason: "NotServed", where, message };
  return { blind: [blind] };
}
