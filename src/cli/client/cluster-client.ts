import type { ApiClient, ApiWrite } from "../../cluster/writer/api-client.ts";
import { CLUSTER_VERSION, CLUSTER_VERSION_CRD_PATH, FIELD_MANAGER } from "../../controller/api/api-paths.ts";
import type { Edit } from "../../lift/objects/edit.ts";
import { getGatedFields, NO_GATED_FIELDS, type GatedFields } from "../../lift/objects/gated-fields.ts";
import { FailedError } from "../../model/errors.ts";
import type { JsonObject } from "../../model/json.ts";
import { systemClock } from "../../network/retry.ts";
import type { ConnectionValues } from "../settings/shared-settings.ts";
import type { Io } from "../io/io.ts";
import { openApi } from "./api-client.ts";

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
