import { fleetFormats } from "../../../format/fleet/index.ts";
import { buildFleet, type Fleet } from "../../../format/fleet/fleet.ts";
import { collectAcceptances } from "../../session/acceptances.ts";
import type { FleetValues, LoadedFleetValues } from "./definition.ts";
import { type Style, getChildExitCode, getExitCode, printResult } from "../../session/result.ts";
import { requireGraphFile } from "../../target-release/update-graph.ts";
import { withCheckSet } from "../../checks/check-set.ts";
import { buildPageLinks, findClusterPages, serveClusters } from "./cluster-check.ts";
import { listClusters } from "./fleet-clusters.ts";
import { runFleet } from "./fleet-run.ts";
import { listHosted } from "./hosted-clusters.ts";
import { createResultContext, readWrittenResults } from "./results.ts";
import { announceConfig } from "../../settings/config-file.ts";
import type { Io } from "../../io/io.ts";
import { VERSION } from "../../../model/program-version.ts";
import { UsageError } from "../../../model/errors.ts";
import { parseImageReference } from "../../../release/image/reference.ts";
import { NO_TARGET } from "../../target-release/target.ts";
import { requireTargetRequest } from "../../target-release/target-of-version.ts";
import { parseChecks } from "../../checks/check-selection.ts";

const HOUR_MS = 60 * 60 * 1_000;

/** Checks many clusters, or reads what they wrote, and prints them by their risks; resolves with the exit code. */
export async function run(given: FleetValues, io: Io): Promise<0 | 1 | 2 | 3 | 4> {
  // Of several processes, the first says what is wrong with them.
  const values = await withCheckSet(given, io.parent ? { ...io, err: () => {} } : io);
  if (io.parent) return serveClusters(values, io, io.parent);
  const { config } = values;
  const isWritten = values.from.length > 0;
  announceConfig(config, isWritten || values.results !== undefined, io);
  const maxAge = values["max-age"] ?? (isWritten ? 24 * HOUR_MS : HOUR_MS);
  const acceptances = collectAcceptances(values);
  const context = createResultContext(io.now(), maxAge, acceptances, values.checkSet.checks);
  if (isWritten) {
    const clusters = await readWrittenResults(values.from, context);
    return print(buildFleet({ clusters, target: undefined, now: io.now() }), values, io);
  }
  const target = requireFleetTarget(values);
  const share = parseShare(values.share);
  await requireGraphFile(values.graph);
  const listed = await listClusters(values, io);
  const all = values["hosted-clusters"] ? await listHosted(listed, io) : listed;
  const clusters = all.filter((_, i) => share === undefined || isInShare(i, share));
  const end = await runFleet(clusters, { values, context, io });
  if (end.kind === "exited") return getChildExitCode(end.code);
  return print(buildFleet({ clusters: end.clusters, target, now: io.now() }), values, io);
}

async function print(fleet: Fleet, { output, "fail-on": failOn }: FleetValues, io: Io): Promise<0 | 3 | 4> {
  const hasPage = output.files.some(({ format }) => format === "html");
  const pages = await findClusterPages(hasPage ? fleet.columns : []);
  const formatAs = (format: typeof output.stdout, style: Style, file?: string): string => {
    const reports = file === undefined ? new Map() : buildPageLinks(pages, file);
    return fleetFormats[format](fleet, { ...style, reports, runnerVersion: VERSION });
  };
  await printResult(output, formatAs, io);
  const verdicts = fleet.columns.map(({ verdict }) => verdict);
  // Of no cluster, nothing is known.
  return getExitCode(verdicts.length === 0 ? ["incomplete"] : verdicts, failOn);
}

const FLAGS = ["to", "to-image", "target", "target-version", "crds"] as const;

/** What the fleet is checked against, in the words of the flags. Finds wrong usage before the first cluster is read. */
function requireFleetTarget(values: LoadedFleetValues): string {
  parseChecks(values);
  if (values.to !== undefined) requireTargetRequest(values.to);
  if (values["to-image"] !== undefined) parseImageReference(values["to-image"]);
  const named = FLAGS.map((flag) => values[flag]).find((value) => value !== undefined);
  if (named !== undefined) return values["target-version"] ?? named;
  throw new UsageError(`${NO_TARGET}, or show results with --from DIR`);
}

/** A part of the clusters: every `count`th of them, from the `index`th on. */
type Share = { readonly index: number; readonly count: number };

function parseShare(text: string | undefined): Share | undefined {
  if (text === undefined) return undefined;
  const [, index, count] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  const share = { index: Number(index), count: Number(count) };
  if (share.index < share.count) return share;
  throw new UsageError(
    `--share "${text}" is not INDEX/COUNT with an INDEX from 0 to COUNT - 1: use a form such as 3/10`,
  );
}

/** `position`: of the cluster among all, which are in the order of their names. */
function isInShare(position: number, { index, count }: Share): boolean {
  return position % count === index;
}
