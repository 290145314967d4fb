import {
  CONTROLLER_LEASE,
  LEASES,
  OPERATOR,
  OPERATOR_LEASE_PATH,
  RUNNER_NAME,
} from "../../controller/api/api-paths.ts";
import { findHolder } from "../../controller/leader/lease.ts";
import { isOurMode } from "../../controller/mode-record.ts";
import type { OperatorState } from "../../controller/observation.ts";
import { getOperator } from "../../controller/observer.ts";
import { isPreflightMode } from "../../lift/objects/preflight-mode.ts";
import { NAMESPACE } from "../../lift/objects/preflight-request.ts";
import { formatError } from "../../model/errors.ts";
import { type JsonObject, objectAt, textAt } from "../../model/json.ts";
import { toLine } from "../../model/visible-text.ts";
import type { ClusterClient } from "./cluster-client.ts";

/** Whether a controller serves requests; unknown without the right to read its lease. */
export type ControllerPresence = "yes" | "no" | "unknown";

export async function readControllerPresence({ read }: ClusterClient, now: Date): Promise<ControllerPresence> {
  try {
    const lease = await read(`${LEASES}/${CONTROLLER_LEASE}`);
    return findHolder(lease, now) === undefined ? "no" : "yes";
  } catch {
    return "unknown";
  }
}

/** Does by hand what a controller does when a request ends. */
export const CLEANUP_COMMAND = `oc -n ${NAMESPACE} delete deployment ${RUNNER_NAME}`;

/** Whether a cluster-version operator runs and supports preflights; unknown without the right to read its lease and Deployment. */
export async function readOperator({ read }: ClusterClient, now: Date): Promise<OperatorState> {
  try {
    const [lease, deployment] = await Promise.all([read(OPERATOR_LEASE_PATH), read(OPERATOR)]);
    return getOperator(lease ? { kind: "ok", object: lease } : { kind: "absent", message: "" }, deployment, now);
  } catch (thrown) {
    return { kind: "unknown", message: formatError(thrown) };
  }
}

/** Removing the mode alone would turn the rest of spec.desiredUpdate into an update. */
const CLEAR_COMMAND = `oc patch clusterversion version --type=merge -p '{"spec":{"desiredUpdate":null}}'`;

/** A mode Preflight that no controller of ours set, and what the running operator does with it; undefined without such a mode. */
export function describeForeignMode(
  clusterVersion: JsonObject,
  result: JsonObject | undefined,
  operator: OperatorState,
): string | undefined {
  if (!isPreflightMode(clusterVersion) || isOurMode(clusterVersion, result)) return undefined;
  const desired = objectAt(clusterVersion, "spec", "desiredUpdate");
  const target = toLine(textAt(desired, "version") || textAt(desired, "image") || "an unknown target");
  return [
    "spec.desiredUpdate has the mode Preflight, which somebody else set.",
    describeEffect(target, operator),
    `Never remove the mode alone: what remains is an update. This removes the mode, the target and the accepted risks:\n  ${CLEAR_COMMAND}`,
  ].join(" ");
}

function describeEffect(target: string, operator: OperatorState): string {
  const update = `an update to ${target}`;
  if (operator.kind === "absent")
    return `No cluster-version operator runs now. One that does not support the mode would start ${update}.`;
  if (operator.kind === "unknown")
    return `Whether the running cluster-version operator supports the mode is unknown. One that does not would start ${update}.`;
  return operator.canServeMode
    ? "The running cluster-version operator supports the mode: it runs a preflight and starts no update."
    : `The running cluster-version operator does not support the mode: it ignores it and starts ${update}.`;
}
