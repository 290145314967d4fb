import { type ApiClient, createApiClient } from "../../cluster/writer/api-client.ts";
import type { ConnectionValues } from "../settings/shared-settings.ts";
import type { Io } from "../io/io.ts";
import { USER_AGENT } from "../io/program.ts";
import { connectCluster } from "./connection.ts";

export type ApiSession = { readonly api: ApiClient; readonly server: string; readonly close: () => void };

/** Opens a cluster for writing: for the controllers, and the commands that change a request. Checks never get here. */
export async function openApi(values: ConnectionValues, io: Io): Promise<ApiSession> {
  const connection = await connectCluster(values, io);
  const api = createApiClient(connection, { userAgent: USER_AGENT });
  return { api, server: connection.server, close: connection.close };
}
