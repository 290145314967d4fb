import {
  type HostedClusterName,
  createHostedClusterReader,
  listHostedClusters,
} from "../../cluster/hosted/hosted-cluster-reader.ts";
import { FailedError, UsageError } from "../../model/errors.ts";
import { compareText } from "../../model/json.ts";
import type { Reader } from "../../model/reader.ts";
import { summarizeNames } from "../../model/text.ts";

/** Opens a hosted cluster of a management cluster. Throws a UsageError for what is no name, and a FailedError if there is none of that name. */
export async function openHostedCluster(text: string, reader: Reader, signal: AbortSignal): Promise<Reader> {
  const hosted = requireName(text);
  const names = await requireHostedClusters(reader, signal);
  if (names.includes(text)) return createHostedClusterReader(reader, hosted);
  const others = names.length === 0 ? "none" : summarizeNames(names);
  throw new FailedError(`this management cluster has no HostedCluster ${text}: it has ${others}`);
}

function requireName(text: string): HostedClusterName {
  const [, namespace, name] = /^([a-z0-9-]+)\/([a-z0-9.-]+)$/.exec(text) ?? [];
  if (namespace !== undefined && name !== undefined) return { namespace, name };
  const all = text === "*" ? ", and for all of them there is 'preflight fleet --hosted-clusters'" : "";
  throw new UsageError(`--hosted-cluster "${text}" is not NAMESPACE/NAME: use a form such as clusters/guest${all}`);
}

/** Sorted, as NAMESPACE/NAME. Throws a FailedError if they can't be read. */
export async function requireHostedClusters(reader: Reader, signal: AbortSignal): Promise<readonly string[]> {
  const result = await listHostedClusters(reader, signal);
  if (!("kind" in result)) return result.map(({ namespace, name }) => `${namespace}/${name}`).toSorted(compareText);
  if (result.kind === "failed") throw new FailedError(`HostedClusters could not be read: ${result.message}`);
  throw new FailedError("this is not a management cluster: its API server serves no HostedClusters");
}
