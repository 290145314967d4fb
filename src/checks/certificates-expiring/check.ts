import { type Unknown, type Finding, type Judgement, defineCheck } from "../../model/check.ts";
import { textAt } from "../../model/json.ts";
import { sortNames, summarizeNames } from "../../model/names.ts";
import { each, eachMetadata, valuesOf, soundInPart, withAnnotations } from "../../model/read.ts";
import { formatRef } from "../../model/resource.ts";
import {
  type Certificate,
  type CertificateVerdict,
  CERTIFICATE_ANNOTATIONS,
  keepCertificate,
  judgeCertificate,
} from "./certificates.ts";
import { platformCertificatesExpired, platformCertificatesEnding } from "./risks.ts";

export default defineCheck({
  id: "certificates-expiring",
  title: "The platform's certificates are renewed in time",
  risks: [platformCertificatesExpired, platformCertificatesEnding],
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  special: {
    onRequest:
      "It needs the right to list Secrets, which includes the right to read their data, although it requests only their metadata.",
  },
  reads: () => ({
    certificates: withAnnotations(
      [CERTIFICATE_ANNOTATIONS],
      soundInPart("object", eachMetadata("v1/secrets", keepCertificate)),
    ),
    nodes: each("v1/nodes", (object) => textAt(object, "metadata", "name")),
  }),
  evaluate({ certificates, nodes }, { now }): Judgement {
    const names = new Set(valuesOf(nodes));
    const judgedCertificates = valuesOf(certificates).map((certificate) => ({
      certificate,
      verdict: judgeCertificate(certificate, names, now),
    }));
    if (judgedCertificates.length === 0)
      return { notApplicable: "No Secret names the time when a certificate of the platform expires." };
    const selectCertificates = (expected: CertificateVerdict) =>
      judgedCertificates.filter(({ verdict }) => verdict === expected).map(({ certificate }) => certificate);
    return {
      findings: [
        ...selectCertificates("expired").map((one) =>
          buildFinding(platformCertificatesExpired.name, one, "Its certificate has expired."),
        ),
        ...selectCertificates("expiring").map((one) =>
          buildFinding(platformCertificatesEnding.name, one, "Its certificate expires within a day."),
        ),
      ],
      notices: [
        ...buildNotices(
          selectCertificates("overdue"),
          "the certificate is overdue for renewal; check the operator of that namespace.",
        ),
        ...buildNotices(
          selectCertificates("ofDeletedNode"),
          "the certificate has expired or is about to, but its node no longer exists.",
        ),
      ],
      unknowns: selectCertificates("unreadable").map(buildUnknown),
    };
  },
});

function buildFinding(risk: string, { object }: Certificate, message: string): Finding {
  return { risk, object, message };
}

function buildNotices(certificates: readonly Certificate[], text: string): readonly string[] {
  if (certificates.length === 0) return [];
  const names = certificates.map(({ object }) => `${object.namespace ?? ""}/${object.name}`);
  return [`Secret ${summarizeNames(sortNames(names))}: ${text}`];
}

function buildUnknown({ object }: Certificate): Unknown {
  const message = "its annotation auth.openshift.io/certificate-not-after is not a time";
  return { reason: "NotUnderstood", where: formatRef(object), message };
}
