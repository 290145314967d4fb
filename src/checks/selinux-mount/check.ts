import { type Context, type Judgement, defineCheck } from "../../model/check.ts";
import { type Each, type Get, type Listed, each, get, valuesOf } from "../../model/read.ts";
import { type SharedBy, keepPod } from "./pods.ts";
import { type Report, REPORT, keepReport } from "./report.ts";
import { selinuxConflicts } from "./risks.ts";
import { comparedNotice } from "./shared.ts";

type Reads = { readonly report: Get<Report> };
type Followed = { readonly pods?: Each<SharedBy> };

export default defineCheck<Reads, Followed>({
  id: "selinux-mount",
  name: "SELinuxMount",
  title: "No volume is shared by pods with different SELinux labels",
  risks: [selinuxConflicts],
  applies: { kind: "crosses", minor: "5.1" },
  needsManifests: false,
  reads: () => ({ report: get("v1/configmaps", "openshift-config/selinux-conflicts", keepReport) }),
  mayRead: () => ({ pods: pods() }),
  follow: ({ report }) => (report.kind === "absent" ? { pods: pods() } : {}),
  evaluate: ({ report }, context, followed) =>
    report.kind === "absent" ? judgePods(followed.pods, context) : judgeReport(report.value),
});

function pods(): Each<SharedBy> {
  return each("v1/pods", keepPod);
}

function judgeReport(report: Report): Judgement {
  if (report === "False") return {};
  if (report === "True") {
    const message = "kube-controller-manager found pods that share a volume with different SELinux labels.";
    return { findings: [{ risk: selinuxConflicts.name, object: REPORT, path: "data.conflictsPresent", message }] };
  }
  const where = `configmaps ${REPORT.namespace}/${REPORT.name}`;
  return { blind: [{ reason: "NotUnderstood", where, message: "data.conflictsPresent is neither True nor False" }] };
}

/** Nobody who knows reports yet. Our own comparison leaves out too much to decide. */
function judgePods(listed: Listed<SharedBy> | undefined, context: Context): Judgement {
  return { notices: listed === undefined ? [] : [comparedNotice(valuesOf(listed), context)] };
}
