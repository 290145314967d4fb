import { type Context, type Judgement, defineCheck } from "../../model/check.ts";
import { get } from "../../model/read.ts";
import { type ClusterVersion, keepClusterVersion } from "./cluster-version.ts";
import { risks } from "./risks.ts";
import { buildSignatureNotices, buildSignatureReads, findDigest } from "./signature.ts";
import { judgeClusterVersion } from "./verdict.ts";

export default defineCheck({
  id: "cluster-version",
  name: "ClusterVersionNotReady",
  title: "The cluster-version operator is idle and reports no errors",
  risks: Object.values(risks),
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  special: { judgedLast: true },
  seenAfterUpdate: "ClusterVersion reports one update at a time.",
  reads: () => ({
    clusterVersion: get("config.openshift.io/v1/clusterversions", "version", keepClusterVersion),
  }),
  mayRead: () => buildSignatureReads(undefined),
  follow({ clusterVersion }, context) {
    if (clusterVersion.kind === "absent" || !needsSignature(clusterVersion.value, context)) return {};
    return buildSignatureReads(findDigest(clusterVersion.value.releaseSource, context));
  },
  evaluate({ clusterVersion }, context, signatureReads): Judgement {
    if (clusterVersion.kind === "absent") return { notApplicable: "The cluster has no ClusterVersion version." };
    const judgement = judgeClusterVersion(clusterVersion.value, context);
    if (!needsSignature(clusterVersion.value, context)) return judgement;
    const digest = findDigest(clusterVersion.value.releaseSource, context);
    const notices = [...(judgement.notices ?? []), ...buildSignatureNotices(digest, signatureReads, context)];
    // They give a notice alone.
    return { ...judgement, notices, irrelevantReads: ["sets", "policies", "common", "own"] };
  },
});

/** Clusters that reach the public update service reach the signatures as well. An image's own signature is release-signature's to judge. */
function needsSignature({ releaseSource }: ClusterVersion, { checks, release }: Context): boolean {
  const isJudged = checks.includes("release-signature") && release.imageVerification !== undefined;
  return releaseSource.isOffline && !releaseSource.hasSignatureStores && !isJudged;
}
