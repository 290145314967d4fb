import type { Finding, RiskText } from "../../model/check.ts";
import { minorText } from "../../model/version.ts";
import { LONGEST, ownWords } from "./words.ts";

const NAMED = 3;

export const notUpgradeable: RiskText = {
  name: "ClusterOperatorNotUpgradeable",
  title: "Cluster operators report that they can't be updated",
  url: "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/updating_clusters/understanding-openshift-updates-1",
  liftedAs: "ClusterOperatorUpgradeable-*",
  describe: (objects, { source, target }, findings) =>
    `${objects} reported Upgradeable=False, with which the cluster-version operator refuses the update from ${minorText(source)} to ${minorText(target)} unless it is forced: ${reasons(findings)}.`,
  remediation: 'See the whole text with "oc describe clusteroperator NAME", and update when Upgradeable is True again.',
};

export const unhealthy: RiskText = {
  name: "ClusterOperatorUnhealthy",
  title: "Cluster operators are not available, degraded, or behind the cluster's version",
  url: "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/updating_clusters/understanding-openshift-updates-1",
  describe: (objects, { target }, findings) =>
    `The update to ${target.text} doesn't finish before every cluster operator is available and not degraded, and can make worse what is broken in ${objects}: ${faults(findings)}.`,
  remediation: 'Repair what "oc describe clusteroperator NAME" shows before updating.',
};

function reasons(findings: readonly Finding[]): string {
  return some(findings, ({ object, detail }, longest) => {
    const said = { reason: detail?.["reason"] ?? "", message: detail?.["message"] ?? "" };
    return `${object.name} gives ${ownWords(said, longest)}`;
  });
}

function faults(findings: readonly Finding[]): string {
  return some(findings, ({ object, detail }, longest) => {
    const said = { reason: detail?.["reason"] ?? "", message: detail?.["message"] ?? "" };
    const fault = `${object.name} ${detail?.["fault"] ?? ""}`;
    return detail?.["condition"] === "" ? fault : `${fault} (${ownWords(said, longest)})`;
  });
}

/** The first few, each with its share of the words. */
function some(findings: readonly Finding[], tell: (finding: Finding, longest: number) => string): string {
  const told = findings.slice(0, NAMED);
  const longest = Math.floor(LONGEST / told.length);
  const more = findings.length - told.length;
  const texts = told.map((finding) => tell(finding, longest));
  return (more === 0 ? texts : [...texts, `and ${more} more`]).join("; ");
}
