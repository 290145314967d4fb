import type { RiskText } from "../../model/check.ts";

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
};

export const platformCertificatesEnding: RiskText = {
  name: "PlatformCertificatesEnding",
  effect: "stuck",
  title: "Certificates of the platform are about to expire",
  url: URL,
  describe: (objects, { target }) =>
    `The certificates in ${objects} expire within a day and are long overdue for renewal: connections that need them would fail during the update to ${target.text}.`,
  remediation,
};
