import type { Finding, RiskText } from "../../model/check.ts";
import { byText } from "../../model/json.ts";
import { joinSome } from "../../model/names.ts";
import { minorText } from "../../model/version.ts";

const URL = "https://github.com/openshift/enhancements/blob/master/enhancements/update/upgrades-blocking-on-ack.md";
/** The cluster-version operator lifts one risk for each gate of the running release. */
const LIFTED_AS = "AdminAck-<gate>";

export const ackMissing: RiskText = {
  name: "AdminAckMissing",
  title: "The running release asks for acknowledgements",
  url: URL,
  describe: (_, { source, target }, findings) =>
    `Before an update to ${target.text}, OpenShift ${minorText(source)} asks the administrator to acknowledge what will change; ConfigMap openshift-config/admin-acks lacks ${gatesText(findings)}.`,
  remediation:
    'Read in ConfigMap openshift-config-managed/admin-gates what each is about, make sure that nothing on the cluster depends on it, and then set it to "true" in openshift-config/admin-acks.',
  liftedAs: LIFTED_AS,
};

export const ackMissingOnTheWay: RiskText = {
  name: "AdminAckMissingOnTheWay",
  title: "Releases on the way to the target ask for acknowledgements",
  url: URL,
  describe: (_, { target }, findings) =>
    `Releases between the running one and ${target.text} ask the administrator to acknowledge what will change, and the cluster stops there until it is done; ConfigMap openshift-config/admin-acks lacks ${gatesText(findings)}.`,
  remediation:
    'Make sure now that nothing on the cluster depends on what these are about, and set each to "true" before the cluster is to leave its release.',
};

export const gateInvalid: RiskText = {
  name: "AdminGateInvalid",
  title: "A gate can't be understood",
  url: URL,
  describe: (_, { source }, findings) =>
    `The cluster-version operator can't understand ${gatesText(findings)} in ConfigMap openshift-config-managed/admin-gates, and keeps the cluster from every update beyond ${minorText(source)} until they are right or gone.`,
  remediation: "Find out who added them, and correct or remove them; an acknowledgement doesn't help.",
  liftedAs: LIFTED_AS,
};

/** The gates' own names say more than the one ConfigMap that they are all in. */
function gatesText(findings: readonly Finding[]): string {
  return joinSome(findings.map(({ detail }) => detail?.["gate"] ?? "").toSorted(byText));
}
