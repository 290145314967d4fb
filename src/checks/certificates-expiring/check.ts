import { readRisks } from "../shared/risks.ts";
import { type Unknown, type Finding, type Judgement, defineCheck } from "../../model/check.ts";
import { textAt, type JsonObject, listAt } from "../../model/json.ts";
import { sortNames } from "../../model/text.ts";
import { each, eachMetadata, valuesOf, soundInPart, withAnnotations } from "../../model/read.ts";
import { formatRef, type ObjectRef } from "../../model/resource.ts";
import { MAX_AHEAD_MS, parseTimestamp } from "../../model/time.ts";
import { buildNamesNotice } from "../shared/judgements.ts";

const risks = readRisks("certificates-expiring", {
  PlatformCertificatesExpired: {},
  PlatformCertificatesEnding: {},
});

export default defineCheck({
  id: "certificates-expiring",
  title: "The platform's certificates are renewed in time",
  risks: Object.values(risks),
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
          buildFinding(risks.PlatformCertificatesExpired.name, one, "Its certificate has expired."),
        ),
        ...selectCertificates("expiring").map((one) =>
          buildFinding(risks.PlatformCertificatesEnding.name, one, "Its certificate expires within a day."),
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
      unknowns: [
        ...selectCertificates("unreadable").map((one) => buildUnknown(one, `${NOT_AFTER} is not a time`)),
        ...selectCertificates("ofTheFuture").map((one) => buildUnknown(one, `${NOT_BEFORE} is ahead of this clock`)),
      ],
    };
  },
});

function buildFinding(risk: string, { object }: Certificate, message: string): Finding {
  return { risk, object, message };
}

function buildNotices(certificates: readonly Certificate[], text: string): readonly string[] {
  const names = sortNames(certificates.map(({ object }) => `${object.namespace ?? ""}/${object.name}`));
  return buildNamesNotice(names, (secrets) => `Secret ${secrets}: ${text}`);
}

function buildUnknown({ object }: Certificate, fault: string): Unknown {
  return { reason: "NotUnderstood", where: formatRef(object), message: `its annotation ${fault}` };
}

const CERTIFICATE_ANNOTATIONS = "auth.openshift.io/certificate-";
const NOT_AFTER = `${CERTIFICATE_ANNOTATIONS}not-after`;
const NOT_BEFORE = `${CERTIFICATE_ANNOTATIONS}not-before`;

/** A certificate that an operator of the platform issues and renews, by the annotations of its Secret. */
type Certificate = {
  readonly object: ObjectRef;
  /** Undefined if the annotation is not a time. */
  readonly notAfter: number | undefined;
  readonly notBefore: number | undefined;
};

/** Skips the copies for revisions of static pods: each is as old as its revision, and no operator renews it. */
export function keepCertificate(object: JsonObject): Certificate | undefined {
  const namespace = textAt(object, "metadata", "namespace") ?? "";
  const notAfter = textAt(object, "metadata", "annotations", NOT_AFTER);
  if (!namespace.startsWith("openshift-") || notAfter === undefined || isRevisionCopy(object)) return undefined;
  return {
    object: { apiVersion: "v1", kind: "Secret", namespace, name: textAt(object, "metadata", "name") ?? "" },
    notAfter: parseTimestamp(notAfter),
    notBefore: parseTimestamp(textAt(object, "metadata", "annotations", NOT_BEFORE)),
  };
}

function isRevisionCopy(object: JsonObject): boolean {
  return listAt(object, "metadata", "ownerReferences").some(
    (owner) => textAt(owner, "kind") === "ConfigMap" && /^revision-status-\d+$/.test(textAt(owner, "name") ?? ""),
  );
}

/** `overdue`: its operator should have renewed it, but it has more than a day left. */
type CertificateVerdict = "valid" | "expired" | "expiring" | "overdue" | "unreadable" | "ofTheFuture" | "ofDeletedNode";

const HOUR_MS = 60 * 60_000;
/** An update with all its nodes takes hours. */
const UPDATE_MS = 24 * HOUR_MS;
/** Operators renew a certificate when four fifths of its lifetime are over. */
const OVERDUE_SHARE = 0.9;

export function judgeCertificate(certificate: Certificate, nodes: ReadonlySet<string>, now: Date): CertificateVerdict {
  const { notAfter, notBefore } = certificate;
  if (notAfter === undefined) return "unreadable";
  if (notBefore !== undefined && notBefore - now.getTime() > MAX_AHEAD_MS) return "ofTheFuture";
  const remaining = notAfter - now.getTime();
  const isOverdue = notBefore === undefined || remaining < (notAfter - notBefore) * (1 - OVERDUE_SHARE);
  if (!isOverdue || (notBefore === undefined && remaining >= UPDATE_MS)) return "valid";
  if (isOfDeletedNode(certificate.object, nodes)) return "ofDeletedNode";
  if (remaining <= 0) return "expired";
  return remaining < UPDATE_MS ? "expiring" : "overdue";
}

/** Each control-plane node has its own etcd certificates, which may outlive it. */
function isOfDeletedNode({ namespace, name }: ObjectRef, nodes: ReadonlySet<string>): boolean {
  const node = /^etcd-(?:peer|serving-metrics|serving)-(.+)$/.exec(name)?.[1];
  return namespace === "openshift-etcd" && node !== undefined && nodes.size > 0 && !nodes.has(node);
}
