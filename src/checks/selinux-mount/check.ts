import { readRisks } from "../shared/risks.ts";
import { type Context, type Judgement, defineCheck } from "../../model/check.ts";
import { type Each, type ListResult, each, get, valuesOf, soundInPart } from "../../model/read.ts";
import { type JsonObject, type Json, textAt, flagAt, listAt, objectAt, compareText } from "../../model/json.ts";
import { buildConfigMapRef } from "../../model/resource.ts";
import { hasEnded } from "../shared/pod.ts";
import { summarizeNames } from "../../model/text.ts";
import { crosses } from "../../model/version.ts";

const risks = readRisks("selinux-mount", { SELinuxLabelsOfSharedVolumesConflict: {} });

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

const CONFLICT_REPORT = buildConfigMapRef("openshift-config", "selinux-conflicts");

/** kube-controller-manager of 5.0 checks every half minute, and writes the result if it changed. */
type ConflictReport = "True" | "False" | "other";

function keepConflictReport(object: JsonObject): ConflictReport {
  const value = textAt(object, "data", "conflictsPresent");
  return value === "True" || value === "False" ? value : "other";
}

/** A pod with the claims that it mounts, each with the SELinux levels under which its containers run. */
type PodClaims = {
  readonly namespace: string;
  readonly pod: string;
  readonly claims: readonly { readonly claim: string; readonly levels: readonly string[] }[];
};

/** Drops pods that have ended, which mount nothing, and those with the policy Recursive, which don't change. */
export function keepPodClaims(object: JsonObject): PodClaims | undefined {
  if (hasEnded(object)) return undefined;
  if (textAt(object, "spec", "securityContext", "seLinuxChangePolicy") === "Recursive") return undefined;
  const claims = listAt(object, "spec", "volumes").flatMap((volume) => parseClaim(volume, object));
  const namespace = textAt(object, "metadata", "namespace") ?? "";
  return claims.length === 0 ? undefined : { namespace, pod: textAt(object, "metadata", "name") ?? "", claims };
}

function parseClaim(volume: Json, pod: JsonObject): PodClaims["claims"] {
  const claim = textAt(volume, "persistentVolumeClaim", "claimName");
  const levels = claim === undefined ? [] : selectLevels(textAt(volume, "name") ?? "", pod);
  return claim === undefined || levels.length === 0 ? [] : [{ claim, levels }];
}

/** A container's own level takes precedence over the pod's. Privileged containers can read files of every label. */
function selectLevels(volume: string, pod: JsonObject): readonly string[] {
  const podLevel = textAt(pod, "spec", "securityContext", "seLinuxOptions", "level");
  const containers = [...listAt(pod, "spec", "initContainers"), ...listAt(pod, "spec", "containers")];
  const levels = containers
    .filter((container) => listAt(container, "volumeMounts").some((mount) => textAt(mount, "name") === volume))
    .map((container) => objectAt(container, "securityContext"))
    .filter((context) => flagAt(context, "privileged") !== true)
    .flatMap((context) => textAt(context, "seLinuxOptions", "level") ?? podLevel ?? []);
  return [...new Set(levels)];
}

const REPORTED_FROM = "5.0";

/** The claims that pods mount under more than one SELinux level, as "namespace/name", sorted. */
function selectSharedClaims(pods: readonly PodClaims[]): readonly string[] {
  const uses = pods.flatMap(({ namespace, claims }) =>
    claims.flatMap(({ claim, levels }) => levels.map((level) => ({ claim: `${namespace}/${claim}`, level }))),
  );
  return [...Map.groupBy(uses, ({ claim }) => claim)]
    .flatMap(([claim, of]) => (new Set(of.map(({ level }) => level)).size > 1 ? [claim] : []))
    .toSorted(compareText);
}

export function buildComparisonNotice(pods: readonly PodClaims[], { source, target }: Context): string {
  const claims = selectSharedClaims(pods);
  const result =
    claims.length === 0
      ? "No running pods share a claim with different SELinux levels now."
      : `Pods with different SELinux levels mount these claims: ${summarizeNames(claims)}.`;
  const later = crosses(source, REPORTED_FROM, target) ? ` ${REPORTED_FROM} does: run this check again there.` : "";
  return `From 5.1 on pods with different SELinux labels can't share most volumes. The cluster doesn't report such pods itself yet (ConfigMap openshift-config/selinux-conflicts is missing).${later} ${result}`;
}
