import { type Context, type Judgement, defineCheck } from "../../model/check.ts";
import { type Each, type ListResult, each, get, valuesOf, soundInPart } from "../../model/read.ts";
import { type PodClaims, keepPodClaims, buildComparisonNotice } from "./pod-claims.ts";
import { type ConflictReport, CONFLICT_REPORT, keepConflictReport } from "./conflict-report.ts";
import { risks } from "./risks.ts";

export default defineCheck({
  id: "selinux-mount",
  name: "SELinuxMount",
  title: "No volume is shared by pods with different SELinux labels",
  risks: Object.values(risks),
  applies: { kind: "crosses", minor: "5.1" },
  reads: () => ({ report: get("v1/configmaps", "openshift-config/selinux-conflicts", keepConflictReport) }),
  mayRead: () => ({ pods: buildPodsRead() }),
  follow: ({ report }) => (report.kind === "absent" ? { pods: buildPodsRead() } : {}),
  evaluate: ({ report }, context, followed) =>
    report.kind === "absent" ? judgePods(followed.pods, context) : judgeReport(report.value),
});

function buildPodsRead(): Each<PodClaims> {
  return soundInPart("namespace", each("v1/pods", keepPodClaims));
}

function judgeReport(report: ConflictReport): Judgement {
  if (report === "False") return {};
  if (report === "True") {
    const message = "kube-controller-manager found pods that share a volume with different SELinux labels.";
    return {
      findings: [
        {
          risk: risks.SELinuxLabelsOfSharedVolumesConflict.name,
          object: CONFLICT_REPORT,
          path: "data.conflictsPresent",
          message,
        },
      ],
    };
  }
  const where = "configmaps openshift-config/selinux-conflicts";
  return { unknowns: [{ reason: "NotUnderstood", where, message: "data.conflictsPresent is neither True nor False" }] };
}

/** Without the cluster's own report: the check's comparison leaves out too much to decide. */
function judgePods(pods: ListResult<PodClaims> | undefined, context: Context): Judgement {
  return { notices: pods === undefined ? [] : [buildComparisonNotice(valuesOf(pods), context)] };
}
