import { fleetFormats } from "../../../format/fleet/index.ts";
import { buildMatrix } from "../../../format/fleet/matrix.ts";
import { UsageError } from "../../../model/errors.ts";
import type { FleetMatrix } from "../../../model/fleet.ts";
import { collectAcceptances } from "../../session/acceptances.ts";
import type { FleetValues } from "./definition.ts";
import { getChildExitCode, getFleetExitCode } from "../../session/exit-code.ts";
import { requireGraphFile } from "../../target/graph-reader.ts";
import { listClusters } from "./fleet-clusters.ts";
import { requireFleetTarget } from "./fleet-target.ts";
import { runFleet } from "./fleet-run.ts";
import { isInShare, parseShare } from "./share.ts";
import { createResultContext } from "./result-reader.ts";
import { readWrittenResults } from "./written-results.ts";
import { announceConfig } from "../../settings/found-config.ts";
import { parseReadLimits } from "../../settings/read-limits.ts";
import { hasColour, type Io } from "../../io/io.ts";
import { writeOutputFiles } from "../../io/output-files.ts";
import { VERSION } from "../../io/program.ts";

const HOUR_MS = 60 * 60 * 1_000;
const MAX_PARALLEL = 64;

/** Checks many clusters, or reads what they wrote, and prints them by their risks; resolves with the exit code. */
export async function run(values: FleetValues, io: Io): Promise<0 | 1 | 2 | 3 | 4> {
  if (io.parent) {
    const { serveClusters } = await import("./worker.ts");
    return serveClusters(values, io, io.parent);
  }
  const { config } = values;
  announceConfig(config, io);
  const isWritten = values.from.length > 0;
  const maxAge = values["max-age"] ?? (isWritten ? 24 * HOUR_MS : HOUR_MS);
  const acceptances = collectAcceptances(values.accept, config?.accept);
  const context = createResultContext(io.now(), maxAge, acceptances);
  if (isWritten) {
    const clusters = await readWrittenResults(values.from, context);
    return print(buildMatrix({ clusters, target: undefined, now: io.now() }), values, io);
  }
  const target = requireFleetTarget(values);
  parseReadLimits(values);
  requireParallel(values.parallel);
  const share = parseShare(values.share);
  await requireGraphFile(values.graph);
  const clusters = (await listClusters(values, io)).filter((_, i) => share === undefined || isInShare(i, share));
  const end = await runFleet(clusters, values, context, io);
  if (end.kind === "exited") return getChildExitCode(end.code);
  return print(buildMatrix({ clusters: end.clusters, target, now: io.now() }), values, io);
}

function requireParallel(parallel: number): void {
  if (!Number.isInteger(parallel) || parallel < 1 || parallel > MAX_PARALLEL)
    throw new UsageError(`--parallel must be a whole number from 1 to ${MAX_PARALLEL}`);
}

async function print(matrix: FleetMatrix, { output, "fail-on": failOn }: FleetValues, io: Io): Promise<0 | 3 | 4> {
  const options = { colour: hasColour(io), width: io.width, runnerVersion: VERSION };
  await writeOutputFiles(output.files, (format) => fleetFormats[format](matrix, { ...options, colour: false }));
  const write = options.colour ? io.outStyled : io.out;
  write(fleetFormats[output.stdout](matrix, options));
  return getFleetExitCode(matrix, failOn);
}
