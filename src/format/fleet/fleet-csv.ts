import type { FleetCluster, FleetMatrix } from "../../model/fleet.ts";
import { formatCsvRow } from "../programs/csv.ts";
import { getCell } from "./matrix.ts";

const HEADER = ["cluster", "result", "from", "to", "observedAt", "clusterID", "reason", "message"];

/** One line for each cluster, with a column for each risk (RFC 4180). */
export function formatFleetCsv({ clusters, risks }: FleetMatrix): string {
  const rows = clusters.map((cluster) => [
    ...buildCells(cluster),
    ...risks.map((risk) => {
      const cell = getCell(cluster, risk);
      return cell === "notRun" ? "" : cell;
    }),
  ]);
  return [[...HEADER, ...risks.map(({ name }) => name)], ...rows].map(formatCsvRow).join("");
}

function buildCells({
  name,
  verdict,
  source = "",
  target = "",
  observedAt = "",
  clusterId = "",
  problem,
}: FleetCluster): readonly string[] {
  return [name, verdict, source, target, observedAt, clusterId, problem?.reason ?? "", problem?.message ?? ""];
}
