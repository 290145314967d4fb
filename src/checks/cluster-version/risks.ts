import type { Finding, RiskText } from "../../model/check.ts";
import { buildObjectCommand, getCommandName } from "../../model/commands.ts";
import { CLUSTER_VERSION } from "../../model/resource.ts";
import { formatMinor } from "../../model/version.ts";
import { formatCondition } from "./cluster-version.ts";
import { summarizeTexts } from "../shared/summaries.ts";

const UNDERSTANDING =
  "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/updating_clusters/understanding-openshift-updates-1";
const API =
  "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/config_apis/clusterversion-config-openshift-io-v1";

export const clusterVersionFailing: RiskText = {
  name: "ClusterVersionFailing",
  effect: "stuck",
  title: "The cluster-version operator fails to apply the present release",
  url: UNDERSTANDING,
  describe: (_, { source, target }, findings) =>
    `ClusterVersion version reports Failing=True (${formatConditions(findings)}): the cluster-version operator can't apply all of ${source.text}, and the update to ${target.text} is likely to stop at the same place.`,
  remediation:
    'Repair what the condition Failing of "oc get clusterversion version -o yaml" names, and update once it is False.',
};

export const clusterVersionInvalid: RiskText = {
  name: "ClusterVersionInvalid",
  effect: "refused",
  title: "ClusterVersion has invalid settings",
  url: API,
  describe: (_, { target }, findings) =>
    `ClusterVersion version reports Invalid=True (${formatConditions(findings)}): the cluster-version operator ignores the invalid settings, and "oc adm upgrade" refuses the update to ${target.text}.`,
  remediation:
    'Correct what the condition names ("oc edit clusterversion version"; "oc adm upgrade --clear" removes an invalid request), and update once Invalid is no longer True.',
  example: { object: CLUSTER_VERSION },
  fixKind: "disruptive",
  fix: ({ object }, { platform }) => [buildObjectCommand(platform, "edit", object)],
};

export const earlierUpdateIncomplete: RiskText = {
  name: "EarlierUpdateIncomplete",
  effect: "refused",
  leadTime: "hours",
  title: "An earlier update is not complete",
  url: UNDERSTANDING,
  knownAs: { liftedAs: "ClusterVersionUpdating" },
  describe: (_, { source, target }, findings) =>
    `${findings[0]?.message.replace(/^Its/, "The cluster's").replace(/^It /, "ClusterVersion version ").replace(/\.$/, "") ?? ""}, and until then the cluster-version operator refuses the update from ${formatMinor(source)} to ${formatMinor(target)}.`,
  remediation:
    'Wait until "oc adm upgrade" no longer reports an update in progress, or repair what it waits for ("oc get clusteroperators").',
  see: (finding, { platform }) => [
    buildObjectCommand(platform, "get", finding.object),
    `${getCommandName(platform)} get clusteroperators`,
  ],
};

export const targetNotAccepted: RiskText = {
  name: "TargetNotAccepted",
  effect: "refused",
  title: "The cluster-version operator could not load or verify the target",
  url: UNDERSTANDING,
  describe: (_, { target }, findings) =>
    `The update to ${target.text} has been requested, and the cluster-version operator has not accepted it: ClusterVersion version reports ReleaseAccepted=False (${formatConditions(findings)}).`,
  remediation:
    'Make the release image and its signature available to the cluster (a mirror needs both), and watch the condition ReleaseAccepted; "oc adm upgrade --clear" withdraws the request.',
};

export const clusterVersionNotUpgradeable: RiskText = {
  name: "ClusterVersionNotUpgradeable",
  effect: "refused",
  leadTime: "hours",
  title: "The cluster-version operator refuses updates to another minor",
  url: UNDERSTANDING,
  describe: (_, { source, target }, findings) =>
    `ClusterVersion version reports Upgradeable=False (${formatObstacles(findings)}): the cluster-version operator refuses the update from ${formatMinor(source)} to ${formatMinor(target)} unless it is forced.`,
  remediation:
    'Resolve what the condition names, and update once "oc adm upgrade" no longer reports Upgradeable=False.',
};

export const targetBelowDesired: RiskText = {
  name: "TargetBelowDesired",
  effect: "refused",
  title: "The target is lower than the release that the cluster-version operator applies",
  url: UNDERSTANDING,
  describe: (_, { target }, findings) => {
    const { desired = "", why = "" } = findings[0]?.detail ?? {};
    return `The cluster-version operator applies ${desired} and refuses to go back to ${target.text} (LowDesiredVersion): ${why}.`;
  },
  remediation:
    'Choose a later release ("oc adm upgrade" lists them), and repair what an incomplete update waits for ("oc get clusteroperators") instead of going back.',
};

function formatConditions(findings: readonly Finding[]): string {
  return findings.map(({ detail }) => detail?.["condition"] ?? "").join("; ");
}

const MAX_LENGTH = 420;

function formatObstacles(findings: readonly Finding[]): string {
  return summarizeTexts(findings, MAX_LENGTH, ({ detail: { reason = "", message = "" } = {} }, longest) =>
    formatCondition({ reason, message }, longest),
  );
}
