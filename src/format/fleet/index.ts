import { formatMarkdown } from "../text/markdown.ts";
import type { Fleet } from "./fleet.ts";
import { type FleetPageOptions, formatFleetHtml } from "./fleet-html.ts";
import { buildFleetPage } from "./fleet-page.ts";
import { type FleetTableOptions, formatFleetTable } from "./fleet-terminal.ts";
import { compareText } from "../../model/json.ts";
import { formatTime } from "../../model/time.ts";
import { formatCsvRow } from "../programs/lines.ts";
import { getCell } from "../result/risk-table.ts";
import { formatJsonText } from "../../model/visible-text.ts";
import { findWave, WAVES } from "./waves.ts";
import { FLEET_VERDICTS, type FleetCluster, type FleetVerdict } from "./cluster.ts";

export type FleetFormatOptions = FleetTableOptions & FleetPageOptions & { readonly runnerVersion: string };

/** The output formats of a fleet, by name. */
export const fleetFormats = {
  table: formatFleetTable,
  markdown: (fleet) => formatMarkdown(buildFleetPage(fleet)),
  html: formatFleetHtml,
  csv: formatFleetCsv,
  json: (fleet, { runnerVersion }) => formatFleetJson(fleet, runnerVersion),
} as const satisfies Readonly<Record<string, (fleet: Fleet, options: FleetFormatOptions) => string>>;

const HEADER = ["cluster", "result", "from", "to", "observedAt", "clusterID", "reason", "message"];
const PLACES = ["wave", "fixes", "group", "context"];

/** One line for each cluster, with a column for each risk (RFC 4180). */
function formatFleetCsv({ columns, risks }: Fleet): string {
  const rows = columns.map((cluster) => {
    const { name, verdict, sourceVersion, targetVersion, observedAt, clusterId, problem } = cluster;
    const facts = [sourceVersion, targetVersion, observedAt, clusterId, problem?.reason, problem?.message];
    const cells = risks.map((risk) => getCell(cluster, risk).kind);
    const { group, context, outlook } = cluster;
    const fixes = outlook.kind === "fixes" ? outlook.fixes.join(" ") : undefined;
    const places = [findWave(cluster), fixes, group, context];
    return [
      name,
      verdict,
      ...[...facts, ...places].map((fact = "") => fact),
      ...cells.map((kind) => (kind === "notRun" ? "" : kind)),
    ];
  });
  return [[...HEADER, ...PLACES, ...risks.map(({ name }) => name)], ...rows].map(formatCsvRow).join("");
}

const WHOLE: ReadonlySet<FleetVerdict> = new Set(["risk", "clear", "updated"]);

/** For machines; schemas/preflight-fleet-v1.schema.json describes it. */
function formatFleetJson(fleet: Fleet, runnerVersion: string): string {
  const { target, observedAt, columns, risks, counts, fixes, waves, groups, trend } = fleet;
  return formatJsonText({
    format: "preflight-fleet-v1-json",
    target,
    observedAt: formatTime(observedAt),
    complete: columns.length > 0 && columns.every(({ verdict }) => WHOLE.has(verdict)),
    counts: Object.fromEntries(FLEET_VERDICTS.map((verdict) => [verdict, counts[verdict]])),
    risks: risks.map(({ name, check, url, unknown, effect, count }) => ({
      name,
      check: check || undefined,
      url: url || undefined,
      effect,
      unknown,
      clusters: count,
    })),
    fixes: fixes.map(({ risk, ...rest }) => ({ risk: risk.name, leadTime: risk.leadTime, ...rest })),
    waves: Object.fromEntries(WAVES.map((wave) => [wave, waves[wave]])),
    groups: groups.length === 0 ? undefined : groups.map(({ name, waves: own }) => ({ name, waves: own })),
    trend,
    clusters: columns.map(buildClusterJson),
    runner: { version: runnerVersion },
  });
}

function buildClusterJson(cluster: FleetCluster): object {
  const { name, verdict, problem, clusterId, sourceVersion, targetVersion, observedAt, risks, checks } = cluster;
  return {
    name,
    verdict,
    problem,
    ...buildPlaceJson(cluster),
    clusterID: clusterId,
    sourceVersion,
    targetVersion,
    observedAt,
    risks: risks
      .toSorted((a, b) => compareText(a.name, b.name))
      .map(({ name: risk, message, unknown, isAccepted }) => ({ name: risk, message, unknown, accepted: isAccepted })),
    checks: Object.fromEntries(
      checks.toSorted((a, b) => compareText(a.id, b.id)).map(({ id, outcome }) => [id, outcome]),
    ),
  };
}

/** What a wave of updates needs: when the cluster's turn is, and how to reach it. */
function buildPlaceJson(cluster: FleetCluster): object {
  const { outlook, group, context, kubeconfig, managed } = cluster;
  const notSaid = outlook.kind === "notSaid" ? outlook.problem : undefined;
  return {
    wave: findWave(cluster),
    fixes: outlook.kind === "fixes" ? outlook.fixes : undefined,
    notSaid: notSaid && { reason: notSaid.reason, message: notSaid.message },
    group,
    context,
    kubeconfig,
    managedCluster: managed && { name: managed.name, labels: Object.fromEntries(managed.labels) },
  };
}
