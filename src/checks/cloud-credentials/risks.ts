import type { Context, Finding, RiskText } from "../../model/check.ts";
import { formatObjectArgument } from "../../model/commands.ts";
import { formatMinor } from "../../model/version.ts";
import { ANNOTATION } from "./annotation.ts";

const URL =
  "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/updating_clusters/preparing-to-update-a-cluster";
const PREPARE = `Extract the target's CredentialsRequests with "oc adm release extract --credentials-requests --to=DIR RELEASE_IMAGE", update the credentials to match, and run "oc annotate cloudcredential cluster --overwrite ${ANNOTATION}=TARGET", which only states that this is done.`;

export const cloudCredentialsNotPrepared: RiskText = {
  name: "CloudCredentialsNotPrepared",
  effect: "refused",
  leadTime: "hours",
  title: "The manual cloud credentials are not marked as ready for a later release",
  url: URL,
  liftedAs: "ClusterOperatorUpgradeable-cloud-credential",
  describe: (objects, { source, target }, findings) =>
    `The cloud credentials are managed manually, and in ${objects} ${findings[0]?.detail?.["annotation"] ?? ""}: the cluster-version operator refuses the update from ${formatMinor(source)} to ${formatMinor(target)} unless it is forced.`,
  remediation: `${PREPARE} ClusterOperator cloud-credential then reports Upgradeable=True.`,
  fix: buildPreparation,
};

export const cloudCredentialsPreparedForEarlierRelease: RiskText = {
  name: "CloudCredentialsPreparedForEarlierRelease",
  effect: "broken",
  title: "The manual cloud credentials are prepared for a release before the target",
  url: URL,
  describe: (objects, { target }, findings) =>
    `The cloud credentials are managed manually, and in ${objects} ${findings[0]?.detail?.["annotation"] ?? ""}: components of ${formatMinor(target)} may lack permissions, although ClusterOperator cloud-credential lets the update start.`,
  remediation: `${PREPARE} "oc get cloudcredential cluster -o yaml" then shows the target in this annotation.`,
  fix: buildPreparation,
};

/** The annotation comes last, after the credentials have been updated in the cloud. */
function buildPreparation({ object }: Finding, { target }: Context): readonly string[] {
  return [
    "oc adm release extract --credentials-requests --to=<folder> <release-image>",
    "oc apply -f <updated-secrets>",
    `oc annotate ${formatObjectArgument(object)} --overwrite ${ANNOTATION}=${target.text}`,
  ];
}
