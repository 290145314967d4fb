import { readTextFile } from "../../../files/named-file.ts";
import type { FleetCluster, FleetContext } from "../../../format/fleet/cluster.ts";
import { buildMoment } from "../../../format/fleet/fleet.ts";
import { type FleetMoment, WAVES } from "../../../format/fleet/waves.ts";
import { FailedError } from "../../../model/errors.ts";
import { isObject, type JsonObject, listAt, parseObject, textAt } from "../../../model/json.ts";
import { formatTime, parseTimestamp } from "../../../model/time.ts";
import { findSources, type FleetSource } from "./sources.ts";
import { judgeItem, readWrittenItems } from "./written-results.ts";

/** The fleet at earlier times: what `fleet -o json` wrote, or results. Throws a FailedError if a path says nothing of a time. */
export async function readEarlier(paths: readonly string[], context: FleetContext): Promise<readonly FleetMoment[]> {
  const moments: FleetMoment[] = [];
  for (const path of paths) moments.push(await readMoment(path, context));
  return moments;
}

async function readMoment(path: string, context: FleetContext): Promise<FleetMoment> {
  const sources = await findSources("since", [path]);
  const [source] = sources;
  if (sources.length === 1 && source?.kind === "results") {
    const fleet = await readFleetFile(source.path);
    if (fleet !== undefined) return parseMoment(fleet, path);
  }
  const now = await findNewestTime(sources);
  if (now === undefined)
    throw new FailedError(
      `--since ${path} has no result that says when a cluster was read: name a folder of earlier results, or what "preflight fleet -o json" wrote`,
    );
  const clusters: FleetCluster[] = [];
  // As they were judged when the last of them was written.
  for await (const item of readWrittenItems(sources)) {
    if (item.kind === "none") clusters.push(item.cluster);
    if (item.kind === "result") clusters.push(await judgeItem(item, { ...context, now }));
  }
  return buildMoment(clusters, formatTime(now));
}

async function findNewestTime(sources: readonly FleetSource[]): Promise<Date | undefined> {
  let newest = -Infinity;
  for await (const item of readWrittenItems(sources)) {
    const time = item.kind === "result" ? textAt(parseObject(item.text), "observedAt") : undefined;
    newest = Math.max(newest, parseTimestamp(time) ?? -Infinity);
  }
  return newest === -Infinity ? undefined : new Date(newest);
}

const MAX_BYTES = 512 * 1024 * 1024;

async function readFleetFile(path: string): Promise<JsonObject | undefined> {
  const value = parseObject(await readTextFile(path, MAX_BYTES).catch(() => ""));
  return textAt(value, "format") === "preflight-fleet-v1-json" ? value : undefined;
}

function parseMoment(fleet: JsonObject, path: string): FleetMoment {
  const clusters = listAt(fleet, "clusters")
    .filter(isObject)
    .map((cluster) => {
      const wave = WAVES.find((one) => one === textAt(cluster, "wave"));
      if (wave !== undefined) return [textAt(cluster, "name") ?? "", wave] as const;
      throw new FailedError(
        `--since ${path} does not say how far its clusters were from being clear: name the folder of its results`,
      );
    });
  return { observedAt: textAt(fleet, "observedAt") ?? "", clusters };
}
