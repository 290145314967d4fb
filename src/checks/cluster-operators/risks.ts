import type { Finding, RiskText } from "../../model/check.ts";
import { formatMinor } from "../../model/version.ts";
import { MAX_LENGTH, formatReason } from "./cluster-operator.ts";
import { summarizeTexts } from "../shared/summaries.ts";

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
  return summarizeTexts(
    findings,
    MAX_LENGTH,
    ({ object, detail: { reason = "", message = "" } = {} }, longest) =>
      `${object.name} (${formatReason({ reason, message }, longest)})`,
  );
}

function formatFaults(findings: readonly Finding[]): string {
  return summarizeTexts(findings, MAX_LENGTH, ({ object, detail = {} }, longest) => {
    const { condition, fault = "", reason = "", message = "" } = detail;
    const text = `${object.name} ${fault}`;
    return condition === "" ? text : `${text} (${formatReason({ reason, message }, longest)})`;
  });
}
