import type { ApiClient, ApiWrite } from "../../cluster/writer/api-client.ts";
import {
  CLUSTER_VERSION,
  CLUSTER_VERSION_CRD_PATH,
  FIELD_MANAGER,
  INFRASTRUCTURE,
  CONTROLLER_LEASE,
  LEASES,
  OPERATOR,
  OPERATOR_LEASE_PATH,
  RUNNER_NAME,
} from "../../controller/api/api-paths.ts";
import { type Edit, isPreflightMode } from "../../lift/objects/cluster-version-edit.ts";
import { getGatedFields, NO_GATED_FIELDS, type GatedFields } from "../../lift/objects/gated-fields.ts";
import { HOSTED_VERSION, hasHostedControlPlane } from "../../model/infrastructure.ts";
import { FailedError, formatError } from "../../model/errors.ts";
import { type JsonObject, objectAt, textAt } from "../../model/json.ts";
import { systemClock } from "../../network/retry.ts";
import type { ConnectionValues } from "../settings/shared-settings.ts";
import type { Io } from "../io/io.ts";
import { openApi } from "./api-client.ts";
import { findHolder } from "../../controller/leader-election.ts";
import { isOurMode } from "../../controller/desired-preflight.ts";
import { type OperatorState, getOperator } from "../../controller/observation.ts";
import { NAMESPACE } from "../../lift/objects/preflight-request.ts";
import { toLine } from "../../model/visible-text.ts";

/** The API server as a command uses it: every failure is a FailedError of one line. */
export type ClusterClient = {
  /** Undefined if the object does not exist. */
  readonly read: (path: string) => Promise<JsonObject | undefined>;
  /** To delete what is gone already is no failure. */
  readonly write: (change: ApiWrite) => Promise<void>;
  /** Waits for a random time, so that commands that started together don't meet again; longer after each attempt. */
  readonly pause: (attempt: number) => Promise<void>;
};

const CONFLICT_MESSAGE = "another client changed the object at the same time, so nothing was written: try again";

export async function withCluster<C extends number>(
  values: ConnectionValues,
  io: Io,
  use: (cluster: ClusterClient) => Promise<C>,
): Promise<C> {
  const session = await openApi(values, io);
  try {
    return await use(createClusterClient(session.api, io));
  } finally {
    session.close();
  }
}

function createClusterClient(api: ApiClient, { stopSignal: signal, random }: Io): ClusterClient {
  return {
    read: async (path) => {
      const answer = await api.read(path, signal);
      if (answer.kind === "ok") return answer.object;
      if (answer.kind === "absent") return undefined;
      throw new FailedError(answer.message);
    },
    write: async (change) => {
      const answer = await api.write(change, signal);
      const isGone = answer.kind === "absent" && change.method !== "POST";
      if (isGone && change.method === "DELETE") return;
      if (isGone || answer.kind === "conflict") throw new FailedError(CONFLICT_MESSAGE, { cause: answer.message });
      if (answer.kind !== "ok") throw new FailedError(answer.message);
    },
    pause: async (attempt) =>
      systemClock.sleep(random() * Math.min(FIRST_PAUSE_MS * 2 ** attempt, MAX_PAUSE_MS), signal),
  };
}

export async function readClusterVersion({ read }: ClusterClient): Promise<JsonObject> {
  const clusterVersion = await read(CLUSTER_VERSION);
  if (!clusterVersion) throw new FailedError("this is not an OpenShift cluster: it has no ClusterVersion");
  return clusterVersion;
}

/** Without the right to read Infrastructure, a cluster counts as one with its own control plane. */
export async function readIsHosted({ read }: ClusterClient): Promise<boolean> {
  return hasHostedControlPlane(await read(INFRASTRUCTURE).catch(() => undefined));
}

/** `instead`: what works there. */
export async function refuseHosted(cluster: ClusterClient, instead: string): Promise<void> {
  if (await readIsHosted(cluster)) throw new FailedError(`${HOSTED_VERSION}. ${instead}`);
}

export async function readCrdFields({ read }: ClusterClient): Promise<GatedFields> {
  const crd = await read(CLUSTER_VERSION_CRD_PATH);
  return crd ? getGatedFields(crd) : NO_GATED_FIELDS;
}

const MAX_ATTEMPTS = 10;
const FIRST_PAUSE_MS = 20;
const MAX_PAUSE_MS = 1_000;

/** Reads and edits again after a conflict: an operator writes the status of ClusterVersion all the time, and others send requests. */
export async function retryOnConflict(
  cluster: ClusterClient,
  buildEdit: () => Promise<Edit>,
  collection: string,
  path: string,
): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await sendEdit(cluster, await buildEdit(), collection, path);
    } catch (thrown) {
      if (!(thrown instanceof FailedError && thrown.message === CONFLICT_MESSAGE) || attempt === MAX_ATTEMPTS)
        throw thrown;
      await cluster.pause(attempt);
    }
  }
}

/** Sends an edit of the object at `path`; false if there is nothing to change. */
export async function sendEdit(
  { write }: ClusterClient,
  edit: Edit,
  collection: string,
  path: string,
): Promise<boolean> {
  const query = `?fieldManager=${FIELD_MANAGER}-cli`;
  switch (edit.kind) {
    case "unchanged":
      return false;
    case "refused":
      throw new FailedError(edit.message);
    case "create":
      await write({ method: "POST", path: `${collection}${query}`, body: edit.object });
      return true;
    case "patch":
      await write({ method: "PATCH", path: `${path}${query}`, body: edit.patch, type: "application/merge-patch+json" });
      return true;
    case "delete": {
      const { preconditions } = edit;
      await write({ method: "DELETE", path, body: { apiVersion: "v1", kind: "DeleteOptions", preconditions } });
      return true;
    }
  }
}

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
