import type { Report } from "../../src/model/report.ts";
import type { View } from "../../src/format/view/view.ts";
import { createUnknown, DIGEST, check, finding, report, risk, version } from "./sample.ts";
import { buildView } from "./view-sample.ts";

const LONG = "a-namespace-with-a-name-as-long-as-kubernetes-allows-for-any-of-them";
const CERTIFICATE = "system:openshift:openshift-monitoring-prometheus-k8s-very-long-name.example.internal";

function buildManyFindings(): Report {
  const budgets = Array.from({ length: 64 }, (_, i) =>
    finding("DrainBlockedByDisruptionBudget", {
      object: {
        apiVersion: "policy/v1",
        kind: "PodDisruptionBudget",
        namespace: `team-${i % 17}`,
        name: `budget-${i}`,
      },
      path: "spec.minAvailable",
      message: "maxUnavailable 0 spares no pod, so none can be evicted.",
      see: [`oc -n team-${i % 17} get poddisruptionbudget.policy/budget-${i} -o yaml`],
      fix: [`oc -n team-${i % 17} scale deployment/<deployment> --replicas=<number of pods>`],
      fixKind: "safe",
    }),
  );
  const long = finding("CertificateExpiresSoon", {
    object: { apiVersion: "v1", kind: "Secret", namespace: LONG, name: `${CERTIFICATE}${CERTIFICATE}` },
    path: "spec.template.spec.containers[0].volumeMounts[3].subPathExpr.of.a.very.long.path.that.no.line.holds",
    message: `The certificate of ${CERTIFICATE} expires before the update can finish.`,
    see: [
      `oc -n ${LONG} get secret/${CERTIFICATE} -o jsonpath='{.data.tls\\.crt}' | base64 -d | openssl x509 -noout -enddate`,
    ],
  });
  return report({
    clusterId: "1b2c3d4e-5f60-4718-8293-a4b5c6d7e8f9",
    image: `registry.example.com/openshift/release@${DIGEST}`,
    imageVerification: { status: "Verified", message: "verified with the key openshift-release of this cluster" },
    checks: [
      check("drain-blocked", { kind: "risk", findings: budgets, notices: [] }),
      check("certificates-expiring", {
        kind: "risk",
        findings: [long],
        notices: ["One certificate is renewed by hand."],
      }),
      check("networks", { kind: "risk", findings: [finding("DualStackNetworks")], notices: [] }),
      check("nodes", {
        kind: "unknown",
        unknowns: [
          createUnknown("machineconfigpools.machineconfiguration.openshift.io"),
          createUnknown("nodes", {
            message:
              '403 forbidden: nodes is forbidden: User "system:serviceaccount:update:preflight" cannot list resource "nodes" in API group "" at the cluster scope',
          }),
        ],
        findings: [finding("NodeNotReady", { object: { apiVersion: "v1", kind: "Node", name: "worker-0" } })],
        notices: [],
      }),
      ...Array.from({ length: 24 }, (_, i) => check(`check-${i + 10}`, { kind: "clear", notices: [] })),
      ...Array.from({ length: 9 }, (_, i) =>
        check(`old-${i}`, { kind: "notApplicable", reason: "It is about a change made in 4.13." }),
      ),
    ],
    risks: [
      risk("DrainBlockedByDisruptionBudget", { check: "drain-blocked", effect: "stuck", leadTime: "hours" }),
      risk("CertificateExpiresSoon", { check: "certificates-expiring", effect: "broken", leadTime: "days" }),
      risk("NodeNotReady", { check: "nodes", effect: "refused" }),
      risk("DualStackNetworks", { check: "networks", effect: "broken" }),
      risk("SampleUnknown", {
        check: "nodes",
        remediation: 'Grant the rights that "preflight rbac" prints, or check these by hand before updating.',
      }),
    ],
  });
}

function buildClear(): Report {
  return report({
    target: version("4.18.9"),
    checks: Array.from({ length: 27 }, (_, i) => check(`check-${i + 10}`, { kind: "clear", notices: [] })),
  });
}

/** Pages of every kind: many findings, accepted ones and unknowns; little; nothing. */
export const HTML_VIEWS: Readonly<Record<string, View>> = {
  full: buildView(),
  many: buildView(buildManyFindings(), {
    cluster: { kind: "live", context: "admin@production-eu-west-1", server: "https://api.production.example:6443" },
    offer: {
      recommendation: {
        kind: "conditional",
        exposure: "exposed",
        risks: [{ name: "SlowImagePulls", message: "m", url: "https://docs.example", matchingRules: [] }],
      },
    },
    backgrounds: new Map([
      [
        "DrainBlockedByDisruptionBudget",
        {
          concerns: "OpenShift, Kubernetes: all updates",
          releases: ["4.14.0 to 4.14.5"],
          certainty: "The objects show it.",
        },
      ],
    ]),
  }),
  clear: buildView(buildClear(), { accepted: new Set(), acceptances: [] }),
};
