import type { Finding, RiskText } from "../../model/check.ts";
import { compareText } from "../../model/json.ts";
import { summarizeNames } from "../../model/names.ts";
import { formatMinor } from "../../model/version.ts";

const URL = "https://github.com/openshift/enhancements/blob/master/enhancements/update/upgrades-blocking-on-ack.md";
/** The cluster-version operator lifts one risk for each gate of the running release. */
const LIFTED_AS = "AdminAck-<gate>";

export const adminAckMissing: RiskText = {
  name: "AdminAckMissing",
  title: "The running release asks for acknowledgements",
  url: URL,
  describe: (_, { source, target }, findings) =>
    `Before an update to ${target.text}, OpenShift ${formatMinor(source)} asks the administrator to acknowledge what will change; ConfigMap openshift-config/admin-acks lacks ${formatGates(findings)}.`,
  remediation:
    'Read in ConfigMap openshift-config-managed/admin-gates what each is about, make sure that nothing on the cluster depends on it, and then set it to "true" in openshift-config/admin-acks.',
  liftedAs: LIFTED_AS,
};

export const adminAckMissingOnTheWay: RiskText = {
  name: "AdminAckMissingOnTheWay",
  title: "Releases on the way to the target ask for acknowledgements",
  url: URL,
  describe: (_, { target }, findings) =>
    `Releases between the running one and ${target.text} ask the administrator to acknowledge what will change, and the cluster stops there until it is done; ConfigMap openshift-config/admin-acks lacks ${formatGates(findings)}.`,
  remediation:
    'Make sure now that nothing on the cluster depends on what these are about, and set each to "true" before the cluster is to leave its release.',
};

export const adminGateInvalid: RiskText = {
  name: "AdminGateInvalid",
  title: "A gate can't be understood",
  url: URL,
  describe: (_, { source }, findings) =>
    `The cluster-version operator can't understand ${formatGates(findings)} in ConfigMap openshift-config-managed/admin-gates, and keeps the cluster from every update beyond ${formatMinor(source)} until they are right or gone.`,
  remediation: "Find out who added them, and correct or remove them; an acknowledgement doesn't help.",
  liftedAs: LIFTED_AS,
};

/** The gates' own names say more than the one ConfigMap that they are all in. */
function formatGates(findings: readonly Finding[]): string {
  return summarizeNames(findings.map(({ detail }) => detail?.["gate"] ?? "").toSorted(compareText));
}
