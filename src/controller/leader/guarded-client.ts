import type { ApiClient } from "../../cluster/writer/api-client.ts";

/** Refuses every write once the lease may have expired. */
export function guardWrites(api: ApiClient, isLeading: () => boolean): ApiClient {
  const refusal = { kind: "unreachable", message: "the lease has expired" } as const;
  return { ...api, write: async (write, signal) => (isLeading() ? api.write(write, signal) : refusal) };
}
