import { summarizeNames } from "../../model/names.ts";
import { type JsonObject, at, listAt, textAt } from "../../model/json.ts";

const PAUSED = "cluster.x-k8s.io/paused";

/** "namespace/name" of a MachineHealthCheck that replaces nodes that are not ready, unless it is paused. */
export function keepUnpausedHealthCheck(object: JsonObject): string | undefined {
  if (at(object, "metadata", "annotations", PAUSED) !== undefined) return undefined;
  const types = listAt(object, "spec", "unhealthyConditions").map((one) => textAt(one, "type"));
  if (!types.includes("Ready")) return undefined;
  return `${textAt(object, "metadata", "namespace") ?? ""}/${textAt(object, "metadata", "name") ?? ""}`;
}

export function buildHealthCheckNotice(names: readonly string[]): string {
  const command = `oc -n NAMESPACE annotate machinehealthcheck NAME ${PAUSED}=`;
  return `MachineHealthChecks may replace nodes while they restart in the update: ${summarizeNames(names)}. Pause them until it has finished ("${command}").`;
}
