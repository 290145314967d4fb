import type { Context, Finding, RiskText } from "../../model/check.ts";
import { formatObjectArgument } from "../../model/commands.ts";
import { formatMinor, getMinorOrdinal, type Version } from "../../model/version.ts";
import { ANNOTATION } from "./credentials-config.ts";

const URL =
  "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/updating_clusters/preparing-to-update-a-cluster";

const EXTRACT = "oc adm release extract --credentials-requests";
/** Limits the requests to those that the cluster's platform and capabilities need. An oc before this release lacks the flag. */
const INCLUDED = " --included";
const INCLUDED_SINCE = { major: 4, minor: 14 } as const;

const NOT_PREPARED_CONFIRMED = "ClusterOperator cloud-credential then reports Upgradeable=True.";
const EARLIER_CONFIRMED = '"oc get cloudcredential cluster -o yaml" then shows the target in this annotation.';

export const cloudCredentialsNotPrepared: RiskText = {
  name: "CloudCredentialsNotPrepared",
  effect: "refused",
  leadTime: "hours",
  title: "The manual cloud credentials are not marked as ready for a later release",
  url: URL,
  knownAs: { liftedAs: "ClusterOperatorUpgradeable-cloud-credential" },
  describe: (objects, { source, target }, findings) =>
    `The cloud credentials are managed manually, and in ${objects} ${findings[0]?.detail?.["annotation"] ?? ""}: the cluster-version operator refuses the update from ${formatMinor(source)} to ${formatMinor(target)} unless it is forced.`,
  remediation: (context) => formatPreparation(NOT_PREPARED_CONFIRMED, context?.target),
  fixKind: "weakening",
  fix: buildPreparation,
};

export const cloudCredentialsPreparedForEarlierRelease: RiskText = {
  name: "CloudCredentialsPreparedForEarlierRelease",
  effect: "broken",
  title: "The manual cloud credentials are prepared for a release before the target",
  url: URL,
  describe: (objects, { target }, findings) =>
    `The cloud credentials are managed manually, and in ${objects} ${findings[0]?.detail?.["annotation"] ?? ""}: components of ${formatMinor(target)} may lack permissions, although ClusterOperator cloud-credential lets the update start.`,
  remediation: (context) => formatPreparation(EARLIER_CONFIRMED, context?.target),
  fixKind: "weakening",
  fix: buildPreparation,
};

/** `target` is undefined in the general form. */
function formatPreparation(confirmed: string, target?: Version): string {
  const note = target === undefined ? " (an oc before 4.14 lacks --included)" : "";
  const included = target === undefined ? INCLUDED : selectIncluded(target);
  return `Extract the target's CredentialsRequests with "${EXTRACT}${included} --to=DIR RELEASE_IMAGE"${note}, update the credentials to match, and run "oc annotate cloudcredential cluster --overwrite ${ANNOTATION}=TARGET", which only states that this is done. ${confirmed}`;
}

/** The documentation asks for the target's own oc. */
function selectIncluded(target: Version): string {
  return getMinorOrdinal(target) >= getMinorOrdinal(INCLUDED_SINCE) ? INCLUDED : "";
}

/** The annotation comes last, after the credentials have been updated in the cloud. */
function buildPreparation({ object }: Finding, { target }: Context): readonly string[] {
  return [
    `${EXTRACT}${selectIncluded(target)} --to=<folder> <release-image>`,
    "oc apply -f <updated-secrets>",
    `oc annotate ${formatObjectArgument(object)} --overwrite ${ANNOTATION}=${target.text}`,
  ];
}
