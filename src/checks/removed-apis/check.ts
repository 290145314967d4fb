import { type Context, defineCheck, type Judgement } from "../../model/check.ts";
import { each, onlyOn, raw, valuesOf } from "../../model/read.ts";
import { isRemoved } from "./api.ts";
import { isRelevantLine, keepMetrics } from "./metrics.ts";
import { keepRequestCount } from "./request-counts.ts";
import { removedKubernetesApiInUse } from "./risks.ts";
import { LAST_KNOWN_MINOR, SERVED_BY_DEFAULT } from "./removals.ts";
import { judgeUsages } from "./verdict.ts";

export default defineCheck({
  id: "removed-apis",
  name: "RemovedApis",
  title: "No client requests Kubernetes APIs that the target removes",
  risks: [removedKubernetesApiInUse],
  applies: { kind: "updates", kinds: ["minor"] },
  needsManifests: false,
  portable: true,
  reads: () => ({
    counts: onlyOn("openshift", each("apiserver.openshift.io/v1/apirequestcounts", keepRequestCount)),
    metrics: onlyOn("kubernetes", raw("/metrics", keepMetrics, isRelevantLine)),
  }),
  evaluate({ counts, metrics }, context): Judgement {
    if (context.platform === "openshift")
      return counts.kind === "absent" ? judgeUncounted(COUNTS, context) : judgeUsages(valuesOf(counts), context);
    return metrics.kind === "absent" ? judgeUncounted("/metrics", context) : judgeUsages(metrics.value, context);
  },
});

const COUNTS = "apirequestcounts.apiserver.openshift.io";

/** Without counts, the check is unknown only if the target may remove an API. */
function judgeUncounted(where: string, context: Context): Judgement {
  const isRemoving = SERVED_BY_DEFAULT.some((one) => isRemoved(one[context.platform], context));
  if (!isRemoving && context.kubernetes.target <= LAST_KNOWN_MINOR) return {};
  const message =
    "the API server doesn't serve it, so the check can't tell which clients request APIs that the target removes";
  return { unknowns: [{ reason: "NotServed", where, message }] };
}
