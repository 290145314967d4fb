import { type JsonObject, listAt, textAt } from "../../model/json.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { parseTimestamp } from "../../model/time.ts";

const NOT_AFTER = "auth.openshift.io/certificate-not-after";
const NOT_BEFORE = "auth.openshift.io/certificate-not-before";

/** A certificate that an operator of the platform makes and renews, by what its Secret's annotations say. */
export type Certificate = {
  readonly object: ObjectRef;
  /** Undefined where the annotation is no time. */
  readonly notAfter: number | undefined;
  readonly notBefore: number | undefined;
};

/** Copies that a static pod's revision holds are as old as that revision, and no operator renews them. */
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

/** `overdue`: its operator should have renewed it, but there is time left. */
export type CertificateVerdict = "good" | "ended" | "ending" | "overdue" | "unreadable" | "ofLostNode";

const HOUR_MS = 60 * 60_000;
/** An update with all its nodes takes hours. */
const UPDATE_MS = 24 * HOUR_MS;
/** They renew when four fifths of the time are over. */
const OVERDUE_SHARE = 0.9;

export function judgeCertificate(certificate: Certificate, nodes: ReadonlySet<string>, now: Date): CertificateVerdict {
  const { notAfter, notBefore } = certificate;
  if (notAfter === undefined) return "unreadable";
  const remaining = notAfter - now.getTime();
  const isOverdue = notBefore === undefined || remaining < (notAfter - notBefore) * (1 - OVERDUE_SHARE);
  if (!isOverdue || (notBefore === undefined && remaining >= UPDATE_MS)) return "good";
  if (isOfLostNode(certificate.object, nodes)) return "ofLostNode";
  if (remaining <= 0) return "ended";
  return remaining < UPDATE_MS ? "ending" : "overdue";
}

/** Each control plane node has etcd certificates of its own, which may outlive it. */
function isOfLostNode({ namespace, name }: ObjectRef, nodes: ReadonlySet<string>): boolean {
  const node = /^etcd-(?:peer|serving-metrics|serving)-(.+)$/.exec(name)?.[1];
  return namespace === "openshift-etcd" && node !== undefined && nodes.size > 0 && !nodes.has(node);
}
