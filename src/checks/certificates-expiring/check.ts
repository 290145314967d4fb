import { type Unknown, type Finding, type Judgement, defineCheck } from "../../model/check.ts";
import { compareText, textAt } from "../../model/json.ts";
import { summarizeNames } from "../../model/names.ts";
import { each, eachMetadata, valuesOf } from "../../model/read.ts";
import { formatRef } from "../../model/resource.ts";
import { type Certificate, type CertificateVerdict, keepCertificate, judgeCertificate } from "./certificates.ts";
import { platformCertificatesExpired, platformCertificatesEnding } from "./risks.ts";

export default defineCheck({
  id: "certificates-expiring",
  name: "CertificatesExpiring",
  title: "The platform's certificates are renewed in time",
  risks: [platformCertificatesExpired, platformCertificatesEnding],
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  needsManifests: false,
  onRequest:
    "It needs the right to list Secrets, which is the right to read all of them, although it asks for their metadata alone.",
  reads: () => ({
    certificates: eachMetadata("v1/secrets", keepCertificate),
    nodes: each("v1/nodes", (object) => textAt(object, "metadata", "name")),
  }),
  evaluate({ certificates, nodes }, { now }): Judgement {
    const names = new Set(valuesOf(nodes));
    const judgedCertificates = valuesOf(certificates).map((certificate) => ({
      certificate,
      verdict: judgeCertificate(certificate, names, now),
    }));
    if (judgedCertificates.length === 0)
      return { notApplicable: "No Secret says when a certificate of the platform ends." };
    const selectCertificates = (expected: CertificateVerdict) =>
      judgedCertificates.filter(({ verdict }) => verdict === expected).map(({ certificate }) => certificate);
    return {
      findings: [
        ...selectCertificates("ended").map((one) =>
          buildFinding(platformCertificatesExpired.name, one, "Its certificate has ended."),
        ),
        ...selectCertificates("ending").map((one) =>
          buildFinding(platformCertificatesEnding.name, one, "Its certificate ends within a day."),
        ),
      ],
      notices: [
        ...buildNotices(
          selectCertificates("overdue"),
          "it was time to renew the certificate, and that has not happened.",
        ),
        ...buildNotices(
          selectCertificates("ofLostNode"),
          "the certificate is about to end or has ended, but its node is gone.",
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
  const names = certificates.map(({ object }) => `${object.namespace ?? ""}/${object.name}`).toSorted(compareText);
  return [`Secret ${summarizeNames(names)}: ${text}`];
}

function buildUnknown({ object }: Certificate): Unknown {
  const message = "its annotation auth.openshift.io/certificate-not-after is no time";
  return { reason: "NotUnderstood", where: formatRef(object), message };
}
