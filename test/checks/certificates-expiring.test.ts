import assert from "node:assert/strict";
import { test } from "node:test";
import { keepCertificate, judgeCertificate } from "../../src/checks/certificates-expiring/certificates.ts";

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

test("calls a certificate overdue when nine tenths of its time are over, and ending on its last day", () => {
  assert.equal(verdict("2026-02-02T12:00:00Z", "2026-03-04T12:00:00Z"), "good");
  assert.equal(verdict("2026-02-02T11:59:00Z", "2026-03-04T11:59:00Z"), "overdue");
  assert.equal(verdict("2026-01-31T12:00:00Z", "2026-03-02T12:00:00Z"), "overdue");
  assert.equal(verdict("2026-01-31T12:00:00Z", "2026-03-02T11:59:59Z"), "ending");
  assert.equal(verdict("2026-01-31T12:00:00Z", "2026-03-01T12:00:01Z"), "ending");
  assert.equal(verdict("2026-01-31T12:00:00Z", "2026-03-01T12:00:00Z"), "ended");
});

test("leaves certificates of a few hours alone until their time is all but over", () => {
  assert.equal(verdict("2026-03-01T00:00:00Z", "2026-03-02T00:00:00Z"), "good");
  assert.equal(verdict("2026-02-28T14:00:00Z", "2026-03-01T14:00:00Z"), "ending");
});

test("goes by the last day alone where the beginning is not known, and knows other zones", () => {
  assert.equal(verdict(undefined, "2026-03-02T12:00:00Z"), "good");
  assert.equal(verdict(undefined, "2026-03-02T11:59:59Z"), "ending");
  assert.equal(verdict(undefined, "2026-03-01T04:00:00-07:00"), "ended");
  assert.equal(verdict(undefined, "2026-03-01T12:00:00"), "unreadable");
});

test("tells the etcd certificates of a node that is gone", () => {
  const past = "2026-02-01T00:00:00Z";
  assert.equal(verdict(undefined, past, "etcd-serving-metrics-b.example"), "ofLostNode");
  assert.equal(verdict(undefined, past, "etcd-serving-metrics-a"), "ended");
  assert.equal(verdict(undefined, past, "etcd-signer"), "ended");
  assert.equal(verdict(undefined, past, "etcd-peer-b", []), "ended");
});
