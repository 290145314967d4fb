import type { BugEntry } from "../known-bug.ts";
import { fromEarlierMinors } from "../versions.ts";

const MACHINE_CONFIGS = "machineconfiguration.openshift.io/v1/machineconfigs";
const REGISTRY_CONFIGS = "imageregistry.operator.openshift.io/v1/configs";

/** Bugs of certificates, service accounts and permissions. */
export const CERTIFICATES_BUGS: readonly BugEntry[] = [
  {
    id: "proxy-leaks-connections",
    name: "ProxyLeaksLoginConnections",
    published: ["AuthOAuthProxyLeakedConnections"],
    versions: fromEarlierMinors("4.7.4", "4.7.4"),
    when: {
      get: "config.openshift.io/v1/proxies",
      name: "cluster",
      where: {
        anyOf: [
          { at: "status.httpProxy", is: "nonEmpty" },
          { at: "status.httpsProxy", is: "nonEmpty" },
        ],
      },
    },
    title: "The authentication operator leaks connections through the proxy",
    message:
      "Behind the cluster's proxy, the authentication operator of {target} leaves its connections to the OAuth server open. It and the routers run out of memory",
    url: "https://bugzilla.redhat.com/show_bug.cgi?id=1941840#c33",
  },
  {
    id: "fips-certificates",
    name: "FIPSRemedyMayBeUndone",
    certainty: "notice",
    published: ["RHSB2023001"],
    versions: [
      { first: "4.13.0", last: "4.13.7", sources: [{ from: "4.12.23", before: "4.13.0-0" }], fixedIn: "4.13.8" },
    ],
    when: {
      anyOf: [
        {
          each: MACHINE_CONFIGS,
          where: {
            allOf: [
              { at: "metadata.name", matches: "^99-.*fips" },
              { at: "spec.fips", equals: true },
            ],
          },
        },
        // A hosted cluster has rendered configurations only.
        { allOf: [{ hosted: true }, { each: MACHINE_CONFIGS, where: { at: "spec.fips", equals: true } }] },
      ],
    },
    title: "The remediation of CVE-2023-3089 in FIPS mode may be reverted",
    message:
      "The cluster runs in FIPS mode, and if CVE-2023-3089 was remediated on it (RHSB-2023-001), {target} reverts a part of that",
    remedy:
      "find out whether it was remediated on this cluster (https://access.redhat.com/security/vulnerabilities/RHSB-2023-001)",
    url: "https://issues.redhat.com/browse/OTA-1000",
  },
  {
    id: "strict-pod-security",
    name: "PodSecurityViolationsMayBeRejected",
    certainty: "notice",
    published: ["StrictPodSecurityViolation"],
    versions: fromEarlierMinors("4.13.0-ec.1", "4.13.0-rc.0", "4.13.0-rc.2"),
    when: { always: true },
    title: "Pods that violate pod security may be rejected",
    message:
      "{target} enforces pod security, about which earlier releases only warned: pods that violate it can't be created again",
    remedy: "fix the workloads that the alert PodSecurityViolation and the audit log report",
    url: "https://issues.redhat.com/browse/AUTH-351",
  },
  {
    id: "reconciled-constraints",
    name: "SecurityContextConstraintsMayBeReset",
    certainty: "notice",
    published: ["ReconciledPlatformSCC"],
    versions: [
      { first: "4.14.0", last: "4.14.0", sources: [{ from: "4.13.17", before: "4.13.19" }], fixedIn: "4.14.1" },
    ],
    when: {
      each: "security.openshift.io/v1/securitycontextconstraints",
      where: {
        allOf: [
          { at: "metadata.generation", atLeast: 2 },
          {
            at: "metadata.name",
            matches: "^(anyuid|hostaccess|hostmount-anyuid|hostnetwork|nonroot|privileged|restricted)(-v2)?$",
          },
        ],
      },
    },
    title: "Changes to OpenShift's own security context constraints may be reverted",
    message:
      "{target} resets OpenShift's own security context constraints to what it ships, and an update or an administrator has changed these since they were created",
    remedy: "compare OpenShift's constraints with the shipped ones, and move your changes to constraints of your own",
    url: "https://access.redhat.com/solutions/7033949",
  },
  {
    id: "api-certificate-rotation",
    name: "APICertificateRotationBreaksKubelets",
    published: ["EarlyAPICertRotation"],
    versions: fromEarlierMinors("4.15.0-rc.0", "4.15.9", "4.15.10"),
    when: { bornBefore: "4.8.0-0" },
    title: "A new certificate authority may cut kubelets off from the API",
    message:
      "The cluster was installed as 4.7 or earlier: {target} replaces the authority of the internal API address's certificate, and kubelets may lose the API",
    url: "https://issues.redhat.com/browse/API-1687",
  },
  {
    id: "service-account-oauth",
    name: "ServiceAccountOAuthClientsRejected",
    published: ["ServiceAccountsOAuth"],
    versions: fromEarlierMinors("4.15.0", "4.15.14", "4.15.15"),
    when: {
      allOf: [
        {
          anyOf: [
            {
              get: REGISTRY_CONFIGS,
              name: "cluster",
              where: { at: "spec.managementState", equals: "Removed" },
              unnamed: true,
            },
            // Without the capability ImageRegistry it doesn't exist.
            { not: { get: REGISTRY_CONFIGS, name: "cluster" } },
          ],
        },
        {
          each: "v1/serviceaccounts",
          where: {
            at: "metadata.annotations[keys]",
            matches: "^serviceaccounts[.]openshift[.]io/oauth-(redirect|want)",
          },
        },
      ],
    },
    title: "Service accounts can't be used as OAuth clients",
    message:
      "The cluster has no image registry, and without it service accounts of {target} get no token and can't be used as OAuth clients",
    url: "https://issues.redhat.com/browse/AUTH-517",
  },
  {
    id: "node-certificates-not-approved",
    name: "NodeCertificatesNotApproved",
    published: ["CSRNotApprovedBadCerts"],
    versions: [{ first: "4.16.0-ec.4", last: "4.16.0-ec.4", fixedIn: "4.16.0-ec.5" }],
    when: { bornBefore: "4.14.0-0" },
    title: "Certificates of new nodes aren't approved",
    message:
      "The cluster was installed as 4.13 or earlier: {target} doesn't approve the certificates of new nodes automatically",
    url: "https://issues.redhat.com/browse/MCO-1091",
  },
];
