import { defineCheck } from "../../model/check.ts";
import { type Get, get } from "../../model/read.ts";
import { type ClusterVersion, keepClusterVersion } from "./cluster-version.ts";
import { clusterVersionFailing, clusterVersionInvalid, earlierUpdateIncomplete, targetNotAccepted } from "./risks.ts";
import { judgeClusterVersion } from "./verdict.ts";

type Reads = { readonly clusterVersion: Get<ClusterVersion> };

export default defineCheck<Reads>({
  id: "cluster-version",
  name: "ClusterVersionNotReady",
  title: "The cluster-version operator is idle and reports no errors",
  risks: [clusterVersionFailing, clusterVersionInvalid, earlierUpdateIncomplete, targetNotAccepted],
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  needsManifests: false,
  seenAfterUpdate: "ClusterVersion reports one update at a time.",
  reads: () => ({
    clusterVersion: get("config.openshift.io/v1/clusterversions", "version", keepClusterVersion),
  }),
  evaluate: ({ clusterVersion }, context) =>
    clusterVersion.kind === "absent"
      ? { notApplicable: "The cluster has no ClusterVersion version." }
      : judgeClusterVersion(clusterVersion.value, context),
});
