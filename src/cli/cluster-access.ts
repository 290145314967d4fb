import { type Api, apiOf, type Change } from "../controller/api.ts";
import { CLUSTER_VERSION, CLUSTER_VERSION_CRD, FIELD_MANAGER } from "../controller/places.ts";
import type { Edit } from "../lift/edit.ts";
import { fieldsOf, NO_FIELDS, type CrdFields } from "../lift/fields.ts";
import { FailedError } from "../model/errors.ts";
import type { JsonObject } from "../model/json.ts";
import type { Arguments } from "./arguments.ts";
import { connectionOf } from "./connection.ts";
import type { Io } from "./io.ts";
import { USER_AGENT } from "./version.ts";

/** A cluster for one command: every failure is a FailedError of one line. */
export type ClusterAccess = {
  /** Undefined where there is none. */
  readonly read: (path: string) => Promise<JsonObject | undefined>;
  readonly write: (change: Change) => Promise<void>;
};

/** Of a failure that another look may mend. */
const CONFLICT = "somebody else has written in between, so nothing was changed: try again";

export async function withCluster(
  args: Arguments,
  io: Io,
  use: (cluster: ClusterAccess) => Promise<number>,
): Promise<number> {
  const connection = await connectionOf(args, io);
  try {
    return await use(accessBy(apiOf(connection, USER_AGENT), io.stop));
  } finally {
    connection.close();
  }
}

function accessBy(api: Api, signal: AbortSignal): ClusterAccess {
  return {
    read: async (path) => {
      const answer = await api.read(path, signal);
      if (answer.kind === "ok") return answer.object;
      if (answer.kind === "absent") return undefined;
      throw new FailedError(answer.message);
    },
    write: async (change) => {
      const answer = await api.write(change, signal);
      if (answer.kind === "conflict") throw new FailedError(CONFLICT, { cause: answer.message });
      if (answer.kind !== "ok") throw new FailedError(answer.message);
    },
  };
}

export async function clusterVersionOf({ read }: ClusterAccess): Promise<JsonObject> {
  const found = await read(CLUSTER_VERSION);
  if (!found) throw new FailedError("there is no ClusterVersion version: this is no OpenShift cluster");
  return found;
}

export async function crdFieldsOf({ read }: ClusterAccess): Promise<CrdFields> {
  const crd = await read(`${CLUSTER_VERSION_CRD.collection}/${CLUSTER_VERSION_CRD.name}`);
  return crd ? fieldsOf(crd) : NO_FIELDS;
}

const MOST_TRIES = 10;

/** Looks and edits anew where somebody else was faster: an operator writes the status of the same object all the time. */
export async function sendAnew(
  cluster: ClusterAccess,
  look: () => Promise<Edit>,
  collection: string,
  path: string,
): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await send(cluster, await look(), collection, path);
    } catch (thrown) {
      if (!(thrown instanceof FailedError && thrown.message === CONFLICT) || tries === MOST_TRIES) throw thrown;
    }
  }
}

/** Sends an edit about the object at `path`; false where there was nothing to change. */
export async function send({ write }: ClusterAccess, edit: Edit, collection: string, path: string): Promise<boolean> {
  const by = `?fieldManager=${FIELD_MANAGER}-cli`;
  switch (edit.kind) {
    case "unchanged":
      return false;
    case "refused":
      throw new FailedError(edit.message);
    case "create":
      await write({ method: "POST", path: `${collection}${by}`, body: edit.object });
      return true;
    case "patch":
      await write({ method: "PATCH", path: `${path}${by}`, body: edit.patch, type: "application/merge-patch+json" });
      return true;
    case "delete": {
      const { preconditions } = edit;
      await write({ method: "DELETE", path, body: { apiVersion: "v1", kind: "DeleteOptions", preconditions } });
      return true;
    }
  }
}
