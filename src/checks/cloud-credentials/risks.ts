import type { RiskText } from "../../model/check.ts";
import { formatMinor } from "../../model/version.ts";
import { ANNOTATION } from "./annotation.ts";

const URL =
  "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/updating_clusters/preparing-to-update-a-cluster";
const REMEDIATION = `Prepare the credentials that the target's CredentialsRequests ask for ("oc adm release extract --credentials-requests"), and say so by setting the annotation ${ANNOTATION} to the target.`;

export const cloudCredentialsNotPrepared: RiskText = {
  name: "CloudCredentialsNotPrepared",
  title: "Nobody said that the manual cloud credentials are ready for a later release",
  url: URL,
  liftedAs: "ClusterOperatorUpgradeable-cloud-credential",
  describe: (objects, { source, target }, findings) =>
    `The cloud credentials are kept by hand, and ${findings[0]?.detail?.["annotation"] ?? ""} in ${objects}, with which the update from ${formatMinor(source)} to ${formatMinor(target)} is refused unless it is forced.`,
  remediation: REMEDIATION,
};

export const cloudCredentialsPreparedForEarlierRelease: RiskText = {
  name: "CloudCredentialsPreparedForEarlierRelease",
  title: "The manual cloud credentials were prepared for a release before the target",
  url: URL,
  describe: (objects, { target }, findings) =>
    `The cloud credentials are kept by hand, and ${findings[0]?.detail?.["annotation"] ?? ""} in ${objects}, so that components of ${formatMinor(target)} may lack permissions, although ClusterOperator cloud-credential lets the update begin.`,
  remediation: REMEDIATION,
};
