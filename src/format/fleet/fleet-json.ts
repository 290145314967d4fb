import { FLEET_VERDICTS, type FleetCluster, type FleetMatrix, type FleetVerdict } from "../../model/fleet.ts";
import { compareText } from "../../model/json.ts";
import { defined } from "../../model/optional.ts";
import { formatTime } from "../../model/time.ts";
import { formatJsonText } from "../text/json-text.ts";

const WHOLE: ReadonlySet<FleetVerdict> = new Set(["risk", "clear", "updated"]);

/** The matrix for machines; schemas/preflight-fleet-v1.schema.json describes it. */
export function formatFleetJson(matrix: FleetMatrix, runnerVersion: string): string {
  const { target, observedAt, clusters, risks, counts } = matrix;
  const value = {
    format: "preflight-fleet-v1-json",
    ...defined({ target }),
    observedAt: formatTime(observedAt),
    complete: clusters.length > 0 && clusters.every(({ verdict }) => WHOLE.has(verdict)),
    counts: Object.fromEntries(FLEET_VERDICTS.map((verdict) => [verdict, counts[verdict]])),
    risks: risks.map(({ name, check, url, unknown, effect, clusters: number }) => ({
      name,
      ...defined({ check: check || undefined, url: url || undefined, effect }),
      unknown,
      clusters: number,
    })),
    clusters: clusters.map(buildClusterJson),
    runner: { version: runnerVersion },
  };
  return formatJsonText(value);
}

function buildClusterJson({
  name,
  verdict,
  problem,
  clusterId,
  source,
  target,
  observedAt,
  risks,
  outcomes,
}: FleetCluster): object {
  return {
    name,
    verdict,
    ...defined({ problem, clusterID: clusterId, sourceVersion: source, targetVersion: target, observedAt }),
    risks: risks
      .toSorted((a, b) => compareText(a.name, b.name))
      .map(({ name: risk, message, unknown, isAccepted }) => ({ name: risk, message, unknown, accepted: isAccepted })),
    checks: Object.fromEntries([...outcomes].toSorted(([a], [b]) => compareText(a, b))),
  };
}
