import type { Context, Finding, RiskText } from "../../model/check.ts";
import { buildPrefix, formatObjectArgument } from "../../model/commands.ts";

const URL =
  "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/security_and_compliance/certificate-types-and-descriptions";
const remediation =
  "Find out why the operator of that namespace doesn't renew them (\"oc get clusteroperators\" and the operator's log), and update once the annotation auth.openshift.io/certificate-not-after of each Secret names a later time.";

export const platformCertificatesExpired: RiskText = {
  name: "PlatformCertificatesExpired",
  effect: "stuck",
  title: "Certificates of the platform have expired",
  url: URL,
  describe: (objects, { target }) =>
    `The certificates in ${objects} have expired and were not renewed: connections that need them fail, and the update to ${target.text} may not finish.`,
  remediation,
  see: showAnnotations,
};

export const platformCertificatesEnding: RiskText = {
  name: "PlatformCertificatesEnding",
  effect: "stuck",
  title: "Certificates of the platform are about to expire",
  url: URL,
  describe: (objects, { target }) =>
    `The certificates in ${objects} expire within a day and are long overdue for renewal: connections that need them would fail during the update to ${target.text}.`,
  remediation,
  see: showAnnotations,
};

/** The whole Secret would print its key. */
function showAnnotations({ object }: Finding, { platform }: Context): readonly string[] {
  const secret = formatObjectArgument(object);
  return [`${buildPrefix(platform, object.namespace)} get ${secret} -o jsonpath='{.metadata.annotations}'`];
}
