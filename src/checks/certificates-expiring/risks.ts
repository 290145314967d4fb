import { readRisks } from "../shared/risks.ts";

export const risks = readRisks("certificates-expiring", {
  PlatformCertificatesExpired: {},
  PlatformCertificatesEnding: {},
});
