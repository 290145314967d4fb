import assert from "node:assert/strict";
import { formatStatusJson } from "../../../src/cli/commands/request/status.ts";
import type { StatusInput } from "../../../src/cli/commands/request/status-facts.ts";
import { formatStatus } from "../../../src/cli/commands/request/status-text.ts";
import { compareResults } from "../../../src/format/comparison/comparison.ts";
import { comparisonFormats } from "../../../src/format/comparison/index.ts";
import { buildComparedResult } from "../../../src/format/comparison/compared-result.ts";
import { crdsFormats } from "../../../src/format/crds.ts";
import { parseClusterResult } from "../../../src/format/fleet/cluster.ts";
import { fleetFormats } from "../../../src/format/fleet/index.ts";
import { buildFleet } from "../../../src/format/fleet/fleet.ts";
import type { CrdsReport } from "../../../src/model/crd-changes.ts";
import { parseObject } from "../../../src/model/json.ts";
import { clusterVersion } from "../../../verify/operator/status-sample.ts";
import { toVisible } from "../../../src/model/visible-text.ts";
import { HOSTILE } from "../../../verify/shared/hostile-text.ts";
import { context, NOW } from "../../../verify/pages/fleet-sample.ts";
import { formatAll, type Outputs } from "./outputs.ts";

/** A result of others, as somebody else's program may have written it. */
function buildResult(text: string): Readonly<Record<string, unknown>> {
  const object = { apiVersion: text, kind: text, namespace: text, name: text };
  return {
    format: "preflight-v1-json",
    preflightID: text,
    executionStatus: "completed",
    sourceVersion: text,
    targetVersion: text,
    clusterID: text,
    observedAt: NOW.toISOString(),
    complete: true,
    coverage: {},
    risks: [{ name: text, message: text, url: text }],
    checks: [
      { id: "a", outcome: "risk", risks: [text], findings: [{ risk: text, object, path: text, message: text }] },
      {
        id: text,
        outcome: "unknown",
        reason: text,
        message: text,
        unknowns: [{ where: text, reason: text, message: text }],
      },
    ],
  };
}

/** What `compare` prints of such results. */
export function formatComparisons(text = HOSTILE): Outputs {
  const result = buildResult(text);
  const [old, now] = [{ ...result, risks: [], checks: [] }, result].map((one) =>
    buildComparedResult(toVisible(parseObject(JSON.stringify(one)) ?? {}), { label: text, accept: [], now: NOW }),
  );
  assert.ok(old !== undefined && now !== undefined);
  const comparison = compareResults(old, now);
  return formatAll("compare", comparisonFormats, { comparison, colour: false, width: 100 });
}

/** What `fleet` prints of such results, and of clusters with such names. */
export async function formatFleets(text = HOSTILE): Promise<Outputs> {
  const result = buildResult(text);
  const failed = { ...result, executionStatus: "failed", failure: { reason: text, message: text } };
  const clusters = await Promise.all(
    [result, failed].map((one, i) => parseClusterResult(`${text} ${i}`, JSON.stringify(one), context)),
  );
  const matrix = buildFleet({ clusters, target: text, now: NOW });
  const entries = Object.entries(fleetFormats).map(([name, format]) => [
    `fleet ${name}`,
    format(matrix, { colour: false, width: 100, runnerVersion: "1" }),
  ]);
  return Object.fromEntries(entries);
}

/** What `crds` prints of files with such texts and names. */
export function formatCrdsReports(text = HOSTILE): Outputs {
  const object = { apiVersion: text, kind: text, namespace: text, name: text };
  const unseen = [{ reason: "NoCrd", where: text, message: text, file: text }] as const;
  const place = { file: text, line: 1 };
  const change = { effect: "lost", crd: text, version: text, path: text, message: text, place } as const;
  const report: CrdsReport = {
    from: text,
    to: text,
    kubernetes: text,
    featureSet: text,
    profile: text,
    isAnnotated: true,
    crds: 1,
    objects: 1,
    notJudged: { crds: 1, variants: 1, objects: 1 },
    changes: [change, { ...change, effect: "rejected", object }],
    unknowns: unseen,
    leftOut: unseen,
    notices: [text],
  };
  return formatAll("crds", crdsFormats, { report, colour: false, width: 100, version: "1" });
}

/** What `status` prints of ClusterVersion and ConfigMaps that somebody with the right to write them has filled. */
export function formatStatuses(text = HOSTILE): Outputs {
  const condition = { status: text, reason: text, message: text, lastTransitionTime: text, [text]: text };
  const risk = { name: text, message: text, url: text, matchingRules: [{ type: "Always" }] };
  const entry = { preflightID: "a", observedAt: text, source: text, target: text, risks: [text] };
  const data = {
    "held.json": { source: "5.0.3", target: text, observedAt: text, risks: [risk] },
    "document.json": { executionStatus: "completed", observedAt: text, validUntil: text },
    "proposal.json": { problems: [{ reason: "NoRoom", message: text }] },
  };
  const input: StatusInput = {
    clusterVersion: {
      ...clusterVersion({ source: "5.0.3" }),
      status: { conditions: ["PreflightRunning", "PreflightCompleted"].map((type) => ({ ...condition, type })) },
    },
    result: { data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, JSON.stringify(value)])) },
    document: { kind: "invalid", problems: [text] },
    history: { data: { "history.json": JSON.stringify([entry]) } },
    deployment: { metadata: { creationTimestamp: text } },
    controllerPresence: "yes",
    operator: { kind: "absent" },
    now: NOW,
  };
  return { status: formatStatus(input), "status json": formatStatusJson(input) };
}
