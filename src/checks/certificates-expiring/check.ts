import { type Blind, type Finding, type Judgement, defineCheck } from "../../model/check.ts";
import { byText, textAt } from "../../model/json.ts";
import { joinSome } from "../../model/names.ts";
import { each, metadataOfEach, valuesOf } from "../../model/read.ts";
import { refText } from "../../model/resource.ts";
import { type Certificate, type Verdict, keepCertificate, verdictOf } from "./certificates.ts";
import { ended, ending } from "./risks.ts";

export default defineCheck({
  id: "certificates-expiring",
  name: "CertificatesExpiring",
  title: "The platform's certificates are renewed in time",
  risks: [ended, ending],
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  needsManifests: false,
  onRequest:
    "It needs the right to list Secrets, which is the right to read all of them, although it asks for their metadata alone.",
  reads: () => ({
    certificates: metadataOfEach("v1/secrets", keepCertificate),
    nodes: each("v1/nodes", (object) => textAt(object, "metadata", "name")),
  }),
  evaluate({ certificates, nodes }, { now }): Judgement {
    const names = new Set(valuesOf(nodes));
    const judged = valuesOf(certificates).map((certificate) => ({
      certificate,
      verdict: verdictOf(certificate, names, now),
    }));
    if (judged.length === 0) return { notApplicable: "No Secret says when a certificate of the platform ends." };
    const having = (wanted: Verdict) =>
      judged.filter(({ verdict }) => verdict === wanted).map(({ certificate }) => certificate);
    return {
      findings: [
        ...having("ended").map((one) => findingOf(ended.name, one, "Its certificate has ended.")),
        ...having("ending").map((one) => findingOf(ending.name, one, "Its certificate ends within a day.")),
      ],
      notices: [
        ...notice(having("overdue"), "it was time to renew the certificate, and that has not happened."),
        ...notice(having("ofLostNode"), "the certificate is about to end or has ended, but its node is gone."),
      ],
      blind: having("unreadable").map(blindFor),
    };
  },
});

function findingOf(risk: string, { object }: Certificate, message: string): Finding {
  return { risk, object, message };
}

function notice(certificates: readonly Certificate[], text: string): readonly string[] {
  if (certificates.length === 0) return [];
  const names = certificates.map(({ object }) => `${object.namespace ?? ""}/${object.name}`).toSorted(byText);
  return [`Secret ${joinSome(names)}: ${text}`];
}

function blindFor({ object }: Certificate): Blind {
  const message = "its annotation auth.openshift.io/certificate-not-after is no time";
  return { reason: "NotUnderstood", where: refText(object), message };
}
