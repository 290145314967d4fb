import { type Context, defineCheck, type Judgement, type Unknown } from "../../model/check.ts";
import { type Each, each, onlyOn, type Raw, raw, valuesOf, soundInPart } from "../../model/read.ts";
import type { ObjectWriters } from "../shared/api-use.ts";
import { type ApiUsage, isRelevantLine, keepMetrics, keepRequestCount } from "./api-usage.ts";
import { buildPossibleReads, buildWriterReads, judgeWriters } from "./object-verdict.ts";
import { type ApiRemoval, selectRemovals } from "../../model/api-removals.ts";
import { risks } from "./risks.ts";
import { judgeUsages } from "./usage-verdict.ts";
import { listGroupVersions, requireApiGroups } from "../../model/resource.ts";
import { FIRST_KNOWN_RELEASE, formatMinor, formatReleaseOf, getKubernetesMinor } from "../../model/version.ts";

type UsageReads = {
  readonly served: Raw<ReadonlySet<string>>;
  readonly counts: Each<ApiUsage>;
  readonly metrics: Raw<readonly ApiUsage[]>;
};

export default defineCheck<UsageReads, Readonly<Record<string, Each<ObjectWriters>>>>({
  id: "removed-apis",
  title: "No client uses Kubernetes API versions that the target removes",
  risks: Object.values(risks),
  applies: { kind: "updates", kinds: ["minor"] },
  basis: "table",
  platforms: ["openshift", "kubernetes"],
  reads: () => ({
    served: raw("/apis", (text): ReadonlySet<string> => new Set(listGroupVersions(requireApiGroups(text)))),
    counts: onlyOn(
      "openshift",
      soundInPart("object", each("apiserver.openshift.io/v1/apirequestcounts", keepRequestCount)),
    ),
    metrics: onlyOn("kubernetes", raw("/metrics", keepMetrics, isRelevantLine)),
  }),
  mayRead: buildPossibleReads,
  follow: ({ served }, context) =>
    served.kind === "absent" ? {} : buildWriterReads(selectRemovals(served.value, context), served.value),
  evaluate({ served, counts, metrics }, context, followed): Judgement {
    if (served.kind === "absent") return { unknowns: [buildNotServed("/apis")] };
    // The target's namespaces decide which clients it replaces.
    if (context.release.unknownFacts !== undefined) return { unknowns: context.release.unknownFacts };
    const removals = selectRemovals(served.value, context);
    const objects = Object.values(followed).flatMap((list) => (list === undefined ? [] : valuesOf(list)));
    const writers = judgeWriters(objects, removals, context);
    const requests =
      context.platform === "openshift"
        ? judgeRequests(counts.kind === "found" ? counts.values : undefined, COUNTS, removals, context)
        : judgeRequests(metrics.kind === "found" ? metrics.value : undefined, "/metrics", removals, context);
    return {
      ...requests,
      findings: [...writers, ...(requests.findings ?? [])],
      unknowns: [...(requests.unknowns ?? []), ...findEarlierMinors(context)],
    };
  },
});

/** What earlier minors removed is in no table. The first minor that an update brings is the one after the source. */
function findEarlierMinors({ source, kubernetes, platform }: Context): readonly Unknown[] {
  if (kubernetes.source + 1 >= getKubernetesMinor(FIRST_KNOWN_RELEASE)) return [];
  const message = `this preflight knows what releases from ${formatReleaseOf(platform, FIRST_KNOWN_RELEASE)} on remove`;
  return [{ reason: "ReleaseTooOld", where: `the releases after ${formatMinor(source)}`, message }];
}

const COUNTS = "apirequestcounts.apiserver.openshift.io";

/** Without counts, the check is unknown only if the target removes an API that the cluster serves. */
function judgeRequests(
  usages: readonly ApiUsage[] | undefined,
  where: string,
  removals: readonly ApiRemoval[],
  context: Context,
): Judgement {
  if (usages !== undefined) return judgeUsages(usages, removals, context);
  return removals.length === 0 ? {} : { unknowns: [buildNotServed(where)] };
}

function buildNotServed(where: string): Unknown {
  const message =
    "the API server doesn't serve it, so the check can't tell which clients request APIs that the target removes";
  return { reason: "NotServed", where, message };
}
