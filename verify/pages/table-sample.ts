import { buildDocument } from "../../src/format/document/document.ts";
import { formats } from "../../src/format/index.ts";
import type { View } from "../../src/format/view/view.ts";
import type { Report } from "../../src/model/report.ts";
import { createUnknown, check, finding, report, risk, run } from "./sample.ts";

type TableOptions = Omit<View, "report" | "document"> & { readonly isWide?: boolean };

/** What a terminal shows of a report. */
export function formatTable(of: Report, { isWide = false, ...options }: TableOptions): string {
  const document = buildDocument({ result: { kind: "completed", report: of }, run });
  return formats[isWide ? "wide" : "table"]({ report: of, document, ...options });
}

const NODE = { apiVersion: "config.openshift.io/v1", kind: "Node", name: "cluster" };
const NETWORK = { apiVersion: "k8s.cni.cncf.io/v1", kind: "NetworkAttachmentDefinition" };

const cgroup = risk("CgroupModeRemoved", {
  check: "cgroup",
  effect: "refused",
  leadTime: "hours",
  title: "The cluster asks for a cgroup mode that the target no longer has",
  description:
    "Node cluster (spec.cgroupMode) asks for cgroup v1. The target refuses it, and nodes would not come back after their restart.",
  remediation: 'Set spec.cgroupMode to "v2" and wait until the machine config pools have settled.',
  url: "https://docs.example/cgroup",
});

const dualStack = risk("DualStackNetworks", {
  check: "networks",
  effect: "stuck",
  title: "Additional networks lose IPv6",
  description: "NetworkAttachmentDefinition demo-0/bridge and 6 more have an IPv6 range that the target drops.",
  remediation: "Update to a later patch release.",
  url: "https://docs.example/a-very-long-address/that-no-line-can-hold/and-that-must-not-be-broken-anywhere/since-people-click-it",
});

const bootImages = risk("BootImagesUnknown", {
  check: "boot-images",
  title: "Boot images are recent enough",
  remediation: 'Grant the rights that "preflight rbac" prints.',
  url: "https://docs.example/boot",
});

/** A report with something in every section. */
export function fullReport(): Report {
  const networks = Array.from({ length: 7 }, (_, i) =>
    finding("DualStackNetworks", {
      object: { ...NETWORK, namespace: `demo-${i}`, name: "bridge" },
      message: "the range fd00::/64 is dropped",
    }),
  );
  const paths = ["spec.cgroupMode", "spec.a", "spec.b", "spec.c"].map((path) =>
    finding("CgroupModeRemoved", {
      object: NODE,
      path,
      see: ["oc get node.config.openshift.io/cluster -o yaml"],
      fix: ['oc patch node.config.openshift.io/cluster --type=merge -p \'{"spec":{"cgroupMode":"v2"}}\''],
      fixKind: "disruptive",
      message: `"v1" is none of the values that the target knows: "v2", ""`,
    }),
  );
  return report({
    checks: [
      {
        ...check("boot-images", {
          kind: "unknown",
          unknowns: [
            createUnknown("machineconfigurations.operator.openshift.io cluster"),
            createUnknown("nodes", { reason: "TimedOut", message: "" }),
          ],
          findings: [],
          notices: [],
        }),
        name: "BootImages",
      },
      check("capabilities", {
        kind: "clear",
        notices: ["The update enables the capability Ingress, which cannot be taken back afterwards.", "Another."],
      }),
      check("cgroup", { kind: "risk", findings: paths, notices: [] }),
      check("networks", { kind: "risk", findings: networks.toReversed(), notices: [] }),
      check("old", { kind: "notApplicable", reason: "It is about a change made in 4.13." }),
    ],
    risks: [dualStack, cgroup, bootImages],
    coverage: { kinds: 5, objects: 1, bytes: 2 },
  });
}
