import { CLUSTER_VERSION, CONFIG_MAPS, REQUEST, RESULT, RUNNER } from "../../../controller/api/api-paths.ts";
import { PROPOSED_KEY } from "../../../controller/desired-preflight.ts";
import { PROPOSED_UPDATE, findProposedVersion, isPreflightMode } from "../../../lift/objects/cluster-version-edit.ts";
import { textAt } from "../../../model/json.ts";
import { buildCancelEdit } from "../../../lift/objects/preflight-request.ts";
import {
  type ClusterClient,
  sendEdit,
  withCluster,
  CLEANUP_COMMAND,
  refuseHosted,
  readControllerPresence,
  describeForeignMode,
  readOperator,
} from "../../client/cluster-client.ts";
import type { CancelValues } from "./definition.ts";
import { type Io, warn } from "../../io/io.ts";

/** Deletes the request, and nothing that somebody else requested. */
export async function run(values: CancelValues, io: Io): Promise<0> {
  return withCluster(values, io, async (cluster) => {
    const request = await cluster.read(REQUEST);
    if (request === undefined)
      await refuseHosted(cluster, "No preflight is requested here, and no controller would serve it");
    const isCancelled = await sendEdit(cluster, buildCancelEdit(request), CONFIG_MAPS, REQUEST);
    io.out(isCancelled ? "Cancelled the preflight.\n" : "info: No preflight is requested.\n");
    await warnOfMode(cluster, io);
    await warnOfAnnotation(cluster, io);
    await warnOfRunner(cluster, io);
    return 0;
  });
}

/** A mode that somebody else set is left alone, whether or not there was a request too. */
async function warnOfMode(cluster: ClusterClient, io: Io): Promise<void> {
  const clusterVersion = await cluster.read(CLUSTER_VERSION).catch(() => undefined);
  if (!clusterVersion || !isPreflightMode(clusterVersion)) return;
  const [result, operator] = await Promise.all([
    cluster.read(RESULT).catch(() => undefined),
    readOperator(cluster, io.now()),
  ]);
  const warning = describeForeignMode(clusterVersion, result, operator);
  if (warning !== undefined) io.err(`warning: ${warning}\n`);
}

/** The annotation is the console's, and a controller that serves it goes on. */
async function warnOfAnnotation(cluster: ClusterClient, io: Io): Promise<void> {
  const clusterVersion = await cluster.read(CLUSTER_VERSION).catch(() => undefined);
  const version = clusterVersion && findProposedVersion(clusterVersion);
  if (version === undefined) return;
  const result = await cluster.read(RESULT).catch(() => undefined);
  if (textAt(result, "data", PROPOSED_KEY) !== version) return;
  warn(
    `An annotation of ClusterVersion requests a preflight of ${version}. Remove it: oc annotate clusterversion version ${PROPOSED_UPDATE}-`,
    io,
  );
}

/** Only a controller removes the runner. */
async function warnOfRunner(cluster: ClusterClient, io: Io): Promise<void> {
  if ((await readControllerPresence(cluster, io.now())) !== "no") return;
  const deployment = await cluster.read(RUNNER).catch(() => undefined);
  if (deployment)
    warn(
      `No preflight controller runs in this cluster, so the runner keeps running. Remove it: ${CLEANUP_COMMAND}`,
      io,
    );
}
