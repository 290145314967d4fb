import type { Finding, RiskText, Context } from "../../model/check.ts";
import { buildAcknowledgement } from "../shared/acknowledgements.ts";
import { buildObjectCommand } from "../../model/commands.ts";
import { sortNames, summarizeNames } from "../../model/names.ts";
import { formatMinor } from "../../model/version.ts";
import { gatesRef, acksRef } from "./config-maps.ts";

const URL =
  "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/updating_clusters/preparing-to-update-a-cluster";
/** The cluster-version operator reports one risk for each gate of the running release. */
const LIFTED_AS = "AdminAck-<gate>";
const ACKNOWLEDGE = `oc -n openshift-config patch configmap admin-acks --type=merge -p '{"data":{"GATE":"true"}}'`;

const EXAMPLE = { object: acksRef, detail: { gate: "<gate>" } };

export const adminAckMissing: RiskText = {
  name: "AdminAckMissing",
  effect: "refused",
  title: "The running release requires acknowledgements",
  url: URL,
  describe: (_, { source, target }, findings) =>
    `The cluster-version operator refuses the update from ${formatMinor(source)} to ${target.text} until an administrator acknowledges what will change: ConfigMap openshift-config/admin-acks lacks ${formatGates(findings)}.`,
  remediation: `Read what each gate is about with "oc -n openshift-config-managed get configmap admin-gates -o yaml", check that nothing in the cluster depends on it, and run "${ACKNOWLEDGE}". "oc adm upgrade" then no longer reports AdminAckRequired.`,
  knownAs: { liftedAs: LIFTED_AS },
  see: (_, { platform }) => [buildObjectCommand(platform, "get", gatesRef)],
  example: EXAMPLE,
  fixKind: "weakening",
  fix: acknowledge,
};

export const adminAckMissingOnTheWay: RiskText = {
  name: "AdminAckMissingOnTheWay",
  effect: "refused",
  title: "Releases on the way to the target require acknowledgements",
  url: URL,
  describe: (_, { target }, findings) =>
    `On the way to ${target.text} the cluster runs releases that allow no further update until an administrator acknowledges what will change: ConfigMap openshift-config/admin-acks lacks ${formatGates(findings)}.`,
  remediation: `Check now that nothing in the cluster depends on what these gates are about. Run "${ACKNOWLEDGE}" for each before the cluster leaves the gate's release. "oc adm upgrade" reports AdminAckRequired as long as one is missing there.`,
  example: EXAMPLE,
  fixKind: "weakening",
  fix: acknowledge,
};

export const adminGateInvalid: RiskText = {
  name: "AdminGateInvalid",
  effect: "refused",
  title: "An acknowledgement gate is invalid",
  url: URL,
  describe: (_, { source }, findings) =>
    `The cluster-version operator rejects ${formatGates(findings)} in ConfigMap openshift-config-managed/admin-gates, and refuses every update beyond ${formatMinor(source)} until they are corrected or removed.`,
  remediation:
    'Find out who added them with "oc -n openshift-config-managed get configmap admin-gates -o yaml --show-managed-fields", and correct or remove them there, because an acknowledgement doesn\'t help. "oc adm upgrade" then no longer reports Upgradeable=False for them.',
  knownAs: { liftedAs: LIFTED_AS },
  see: (_, { platform }) => [`${buildObjectCommand(platform, "get", gatesRef)} --show-managed-fields`],
};

function acknowledge(finding: Finding, { platform }: Context): readonly string[] {
  return buildAcknowledgement(finding, platform, finding.detail?.["gate"] ?? "<gate>");
}

/** The names of the gates say more than the one ConfigMap that holds them all. */
function formatGates(findings: readonly Finding[]): string {
  return summarizeNames(sortNames(findings.map(({ detail }) => detail?.["gate"] ?? "")));
}
