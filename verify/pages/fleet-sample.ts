import { buildDocument } from "../../src/format/document/document.ts";
import { formatJsonText } from "../../src/model/visible-text.ts";
import { parseClusterResult, type FleetContext } from "../../src/format/fleet/cluster.ts";
import { buildFleet, type Fleet, type FleetInput } from "../../src/format/fleet/fleet.ts";
import type { CheckReport, ReportRisk } from "../../src/model/report.ts";
import type { Version } from "../../src/model/version.ts";
import { check, createUnknown, report, risk, run, version } from "./sample.ts";

export const NOW = new Date("2026-03-01T12:00:00Z");

export const context: FleetContext = {
  now: NOW,
  maxAge: 24 * 60 * 60 * 1_000,
  acceptances: [{ risk: "AcceptedRisk" }],
  effects: new Map([["RefusedRisk", "refused"]]),
  unknownNames: new Map([["three", "ThreeUnknown"]]),
};

const CLEAR = { kind: "clear", notices: [] } as const;

type Parts = {
  readonly source?: Version;
  readonly checks?: readonly CheckReport[];
  readonly risks?: readonly ReportRisk[];
};

/** The document of a cluster with these checks and risks. */
export function writeDocument(parts: Parts, more: object = {}): string {
  const checks = parts.checks ?? ["one", "two", "three"].map((id) => check(id, CLEAR));
  const result = { kind: "completed", report: report({ source: version("4.19.8"), ...parts, checks }) } as const;
  return formatJsonText({ ...buildDocument({ result, run: { ...run, intervalSeconds: 0 } }), ...more });
}

const RISKY = { kind: "risk", findings: [], notices: [] } as const;
const INCOMPLETE = { kind: "unknown", findings: [], notices: [], unknowns: [createUnknown("nodes")] } as const;

/** One result of each kind, by the name of its cluster. */
export const TEXTS: Readonly<Record<string, string>> = {
  "lab-clear": writeDocument({}),
  "lab-incomplete": writeDocument({ checks: [check("one", CLEAR), check("two", CLEAR), check("three", INCOMPLETE)] }),
  "prod-broken": writeDocument({ checks: [check("one", RISKY)], risks: [risk("BrokenRisk", { check: "one" })] }),
  "prod-refused": writeDocument({
    checks: [check("one", RISKY), check("two", RISKY)],
    risks: [risk("BrokenRisk", { check: "one" }), risk("RefusedRisk", { check: "two" })],
  }),
  // Its risk is one of a cluster that has arrived.
  "prod-updated": writeDocument({
    source: version("4.20.3"),
    checks: [check("one", RISKY), check("three", INCOMPLETE)],
    risks: [risk("BrokenRisk", { check: "one" })],
  }),
  "prod-accepted": writeDocument({ checks: [check("two", RISKY)], risks: [risk("AcceptedRisk", { check: "two" })] }),
  "edge-stale": writeDocument({}, { observedAt: "2026-02-20T00:00:00Z" }),
  "edge-expired": writeDocument({}, { validUntil: "2026-03-01T11:00:00Z" }),
  "edge-failed": formatJsonText(
    buildDocument({
      result: {
        kind: "failed",
        failure: { reason: "Unauthorized", message: "The API server refused the credentials" },
        observedAt: NOW,
      },
      run,
    }),
  ),
  "edge-running": formatJsonText(buildDocument({ result: "running", run })),
  "edge-invalid": '{"format":"preflight-v1-json"}',
  "edge-page": "<!doctype html>",
};

export async function readSample(texts = TEXTS, more: Pick<FleetInput, "groupBy" | "earlier"> = {}): Promise<Fleet> {
  const clusters = await Promise.all(
    Object.entries(texts).map(([name, text]) => parseClusterResult(name, text, context)),
  );
  return buildFleet({ clusters, target: "4.20", now: NOW, ...more });
}

const NAMES = [
  "ControlPlaneNodeUnusable",
  "DegradedMachineConfigPool",
  "DrainBlockedByDisruptionBudget",
  "HighlyAvailableControlPlaneIncomplete",
  "CrdServedVersionRemoved",
  "MachineConfigPoolMaxUnavailableUnusable",
  "ConditionalUpdateRiskApplies",
  "GatewayAPICRDsDegradeIngress",
] as const;

const UNREACHABLE =
  "The API server can't be reached: connect ECONNREFUSED 10.0.113.7:6443 (https://api.edge.example:6443); check the kubeconfig and the network";

/** Clusters with risks as long as they come, and one that could not be reached; by the first part of their names, and a month before. */
export function readLargeSample(): Promise<Fleet> {
  const places = ["eu-west-1", "eu-north-1", "us-east-2", "ap-south-1"];
  const clusters = places.flatMap((place, i) =>
    ["prod", "stage", "lab"].map((stage, j) => {
      const names = NAMES.filter((_, k) => (i * 5 + j * 3 + k) % 4 === 0 && stage !== "lab");
      const checks = NAMES.map((name) => check(name.toLowerCase(), names.includes(name) ? RISKY : CLEAR));
      const risks = names.map((name) => risk(name, { check: name.toLowerCase() }));
      return [`${stage}-${place}`, writeDocument({ checks, risks })];
    }),
  );
  const failure = { reason: "ClusterUnreachable", message: UNREACHABLE } as const;
  const failed = buildDocument({ result: { kind: "failed", failure, observedAt: NOW }, run });
  const texts = { ...Object.fromEntries(clusters), "edge-of-the-factory-in-the-north-17": formatJsonText(failed) };
  const before = Object.keys(texts).map((name) => [name, "afterOne"] as const);
  const earlier = [{ observedAt: "2026-02-01T12:00:00Z", clusters: before }];
  return readSample(texts, { groupBy: { kind: "part", number: 1 }, earlier });
}
