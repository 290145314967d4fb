import type { Connection } from "../../cluster/access/connection.ts";
import { defined } from "../../model/optional.ts";
import type { Reader } from "../../model/reader.ts";
import type { ClusterValues, ConnectionValues } from "../command-line/shared-settings.ts";
import type { Io } from "../io.ts";
import { USER_AGENT } from "../version.ts";

/** Connects as --kubeconfig and --context say, or with the pod's service account. Throws a FailedError if neither works. */
export async function connectCluster({ kubeconfig, context }: ConnectionValues, io: Io): Promise<Connection> {
  const { connect } = await import("../../cluster/access/connect.ts");
  return connect({ env: io.env, ...defined({ kubeconfig, context }) });
}

/** A cluster that is open for reading. */
export type ClusterSession = { readonly reader: Reader; readonly close: () => void };

/** Opens a live or recorded cluster, or throws a FailedError. The code for either is imported when it is needed. */
export async function openCluster(values: ClusterValues, io: Io): Promise<ClusterSession> {
  if (values.recorded !== undefined) {
    const { createRecordedReader } = await import("../../cluster/recorded/recorded-reader.ts");
    return { reader: await createRecordedReader(values.recorded), close: () => {} };
  }
  return openLiveCluster(values, io);
}

export async function openLiveCluster(values: ConnectionValues, io: Io): Promise<ClusterSession> {
  const { createLiveReader } = await import("../../cluster/live/live-reader.ts");
  const connection = await connectCluster(values, io);
  const reader = createLiveReader(connection, { userAgent: USER_AGENT });
  return { reader, close: reader.close };
}
