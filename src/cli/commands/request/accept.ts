import { checks } from "../../../checks/index.ts";
import { CLUSTER_VERSION, RESULT } from "../../../controller/api/api-paths.ts";
import type { AcceptanceChange, Edit } from "../../../lift/objects/cluster-version-edit.ts";
import { buildAcceptEdit, parseAcceptance } from "../../../lift/objects/cluster-version-edit.ts";
import { getAcceptedRisks, nameOf } from "../../../lift/objects/cluster-version.ts";
import { getRetainedResult } from "../../../lift/preflight-result.ts";
import { FailedError, UsageError } from "../../../model/errors.ts";
import { describeUnknownName, listCheckRiskNames, listOfferedRiskNames } from "../../checks/risk-names.ts";
import type { AcceptValues } from "./definition.ts";
import type { ClusterClient } from "../../client/cluster-client.ts";
import {
  readClusterVersion,
  readCrdFields,
  refuseHosted,
  retryOnConflict,
  withCluster,
} from "../../client/cluster-client.ts";
import type { Io } from "../../io/io.ts";

/** Changes spec.desiredUpdate.acceptRisks, and nothing else in ClusterVersion. */
export async function run(values: AcceptValues, io: Io): Promise<0> {
  const acceptance = parseAcceptance(values.risks, values);
  if (acceptance.kind === "refused") throw new UsageError(acceptance.message);
  return withCluster(values, io, async (cluster) => {
    await refuseHosted(cluster, "An acceptance would not last: accept risks with --accept, or in the file of --config");
    await requireKnownNames(cluster, acceptance);
    const fields = await readCrdFields(cluster);
    const buildEdit = async (): Promise<Edit> => buildAcceptEdit(await readClusterVersion(cluster), fields, acceptance);
    const isChanged = await retryOnConflict(cluster, buildEdit, CLUSTER_VERSION, CLUSTER_VERSION);
    const names = isChanged ? getAcceptedRisks(await readClusterVersion(cluster)) : [];
    io.out(isChanged ? `info: Accept risks are [${names.join(", ")}]\n` : "info: Accept risks are not changed\n");
    return 0;
  });
}

/** A misspelt name would be accepted without any effect. A name may always be removed. */
async function requireKnownNames(cluster: ClusterClient, acceptance: AcceptanceChange): Promise<void> {
  if (acceptance.kind === "clear") return;
  const names = acceptance.kind === "replace" ? acceptance.names : acceptance.add;
  if (names.length === 0) return;
  const reported = getRetainedResult(await cluster.read(RESULT).catch(() => undefined))?.risks.map(nameOf) ?? [];
  const known = [
    ...listCheckRiskNames(checks),
    ...listOfferedRiskNames(await readClusterVersion(cluster)),
    ...reported,
  ];
  const unknownName = names.find((name) => !known.includes(name));
  if (unknownName !== undefined) throw new FailedError(describeUnknownName(unknownName, known));
}
