import assert from "node:assert/strict";
import { test } from "node:test";
import { keepCertificate, judgeCertificate } from "../../src/checks/certificates-expiring/check.ts";

const NOW = new Date("2026-03-01T12:00:00Z");

function verdict(notBefore: string | undefined, notAfter: string, name = "demo", nodes: readonly string[] = ["a"]) {
  const annotations = {
    ...(notBefore === undefined ? {} : { "auth.openshift.io/certificate-not-before": notBefore }),
    "auth.openshift.io/certificate-not-after": notAfter,
  };
  const certificate = keepCertificate({ metadata: { namespace: "openshift-etcd", name, annotations } });
  assert.ok(certificate);
  return judgeCertificate(certificate, new Set(nodes), NOW);
}

test("reports a certificate as overdue after nine tenths of its lifetime, and as expiring on its last day", () => {
  assert.equal(verdict("2026-02-02T12:00:00Z", "2026-03-04T12:00:00Z"), "valid");
  assert.equal(verdict("2026-02-02T11:59:00Z", "2026-03-04T11:59:00Z"), "overdue");
  assert.equal(verdict("2026-01-31T12:00:00Z", "2026-03-02T12:00:00Z"), "overdue");
  assert.equal(verdict("2026-01-31T12:00:00Z", "2026-03-02T11:59:59Z"), "expiring");
  assert.equal(verdict("2026-01-31T12:00:00Z", "2026-03-01T12:00:01Z"), "expiring");
  assert.equal(verdict("2026-01-31T12:00:00Z", "2026-03-01T12:00:00.001Z"), "expiring");
  assert.equal(verdict("2026-01-31T12:00:00Z", "2026-03-01T12:00:00Z"), "expired");
});

test("accepts certificates that last a few hours until nine tenths of their lifetime", () => {
  assert.equal(verdict("2026-03-01T00:00:00Z", "2026-03-02T00:00:00Z"), "valid");
  assert.equal(verdict("2026-02-28T14:00:00Z", "2026-03-01T14:00:00Z"), "expiring");
});

test("uses only the last day if the start is unknown, in every time zone", () => {
  assert.equal(verdict(undefined, "2026-03-02T12:00:00Z"), "valid");
  assert.equal(verdict(undefined, "2026-03-02T11:59:59Z"), "expiring");
  assert.equal(verdict(undefined, "2026-03-01T04:00:00-07:00"), "expired");
  assert.equal(verdict(undefined, "2026-03-01T12:00:00"), "unreadable");
});

test("does not judge a certificate that begins later than clocks differ", () => {
  assert.equal(verdict("2026-03-01T12:05:00Z", "2026-03-31T12:00:00Z"), "valid");
  assert.equal(verdict("2026-03-01T12:05:01Z", "2026-03-31T12:00:00Z"), "ofTheFuture");
});

test("keeps the platform's certificates, without the copies for revisions", () => {
  const annotations = { "auth.openshift.io/certificate-not-after": "2026-03-02T12:00:00Z" };
  const owner = (name: string, kind = "ConfigMap") => ({ ownerReferences: [{ kind, name }] });
  const keep = (more: object) =>
    keepCertificate({ metadata: { namespace: "openshift-a", name: "b", annotations, ...more } });
  assert.deepEqual(keep({}), {
    object: { apiVersion: "v1", kind: "Secret", namespace: "openshift-a", name: "b" },
    notAfter: Date.parse("2026-03-02T12:00:00Z"),
    notBefore: undefined,
  });
  for (const left of [
    { namespace: "shop" },
    { namespace: "my-openshift-a" },
    { annotations: {} },
    owner("revision-status-12"),
  ])
    assert.equal(keep(left), undefined, JSON.stringify(left));
  const others = ["revision-status-", "my-revision-status-1", "revision-status-1-a"].map((name) => owner(name));
  for (const kept of [...others, owner("revision-status-1", "Pod")]) assert.ok(keep(kept), JSON.stringify(kept));
});

test("recognizes the etcd certificates of a deleted node", () => {
  const past = "2026-02-01T00:00:00Z";
  assert.equal(verdict(undefined, past, "etcd-serving-metrics-b.example"), "ofDeletedNode");
  assert.equal(verdict(undefined, past, "etcd-serving-metrics-a"), "expired");
  assert.equal(verdict(undefined, past, "etcd-signer"), "expired");
  assert.equal(verdict(undefined, past, "etcd-peer-b", []), "expired");
});
