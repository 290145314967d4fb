import type { Finding, RiskText } from "../../model/check.ts";
import { formatMinor } from "../../model/version.ts";
import { MAX_LENGTH, formatReason } from "./cluster-operator.ts";

const MAX_OPERATORS = 3;

export const clusterOperatorNotUpgradeable: RiskText = {
  name: "ClusterOperatorNotUpgradeable",
  effect: "refused",
  leadTime: "hours",
  title: "Cluster operators report that they can't be updated",
  url: "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/updating_clusters/understanding-openshift-updates-1",
  knownAs: { liftedAs: "ClusterOperatorUpgradeable-*" },
  describe: (objects, { source, target }, findings) =>
    `The cluster-version operator refuses the update from ${formatMinor(source)} to ${formatMinor(target)} unless it is forced, because ${objects} reported Upgradeable=False: ${formatReasons(findings)}.`,
  remediation:
    'Resolve what "oc describe clusteroperator NAME" shows, and update once "oc adm upgrade" no longer reports Upgradeable=False.',
};

export const clusterOperatorUnhealthy: RiskText = {
  name: "ClusterOperatorUnhealthy",
  effect: "stuck",
  leadTime: "hours",
  title: "Cluster operators are unavailable, degraded, or behind the cluster's version",
  url: "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/updating_clusters/understanding-openshift-updates-1",
  describe: (objects, { target }, findings) =>
    `The update to ${target.text} can't finish until every cluster operator is available and not degraded, and it can worsen what is broken in ${objects}: ${formatFaults(findings)}.`,
  remediation:
    'Repair what "oc describe clusteroperator NAME" shows, and update once "oc get clusteroperators" shows all of them as available, not degraded and at the cluster\'s version.',
};

function formatReasons(findings: readonly Finding[]): string {
  return formatFirst(findings, ({ object, detail }, longest) => {
    const condition = { reason: detail?.["reason"] ?? "", message: detail?.["message"] ?? "" };
    return `${object.name} (${formatReason(condition, longest)})`;
  });
}

function formatFaults(findings: readonly Finding[]): string {
  return formatFirst(findings, ({ object, detail }, longest) => {
    const condition = { reason: detail?.["reason"] ?? "", message: detail?.["message"] ?? "" };
    const fault = `${object.name} ${detail?.["fault"] ?? ""}`;
    return detail?.["condition"] === "" ? fault : `${fault} (${formatReason(condition, longest)})`;
  });
}

/** The first few findings, each with an equal share of the length. */
function formatFirst(findings: readonly Finding[], format: (finding: Finding, longest: number) => string): string {
  const first = findings.slice(0, MAX_OPERATORS);
  const longest = Math.floor(MAX_LENGTH / first.length);
  const more = findings.length - first.length;
  const texts = first.map((finding) => format(finding, longest));
  return (more === 0 ? texts : [...texts, `and ${more} more`]).join("; ");
}
