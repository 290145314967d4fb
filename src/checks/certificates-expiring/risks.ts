import type { RiskText } from "../../model/check.ts";

const URL =
  "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/security_and_compliance/certificate-types-and-descriptions";
const remediation =
  "Find out why the operator of that namespace doesn't renew them (its ClusterOperator and its log), and update when it has.";

export const platformCertificatesExpired: RiskText = {
  name: "PlatformCertificatesExpired",
  title: "Certificates of the platform have ended",
  url: URL,
  describe: (objects, { target }) =>
    `The certificates in ${objects} have ended and were not renewed, so connections that need them fail, and the update to ${target.text} may not finish.`,
  remediation,
};

export const platformCertificatesEnding: RiskText = {
  name: "PlatformCertificatesEnding",
  title: "Certificates of the platform are about to end",
  url: URL,
  describe: (objects, { target }) =>
    `The certificates in ${objects} end within a day although it was time to renew them long ago, so connections that need them would fail while the update to ${target.text} is under way.`,
  remediation,
};
