import { compareText, type JsonObject, textAt } from "../../../model/json.ts";
import type { Reader } from "../../../model/reader.ts";
import { parseResource } from "../../../model/resource.ts";

const POOLS = parseResource("machineconfiguration.openshift.io/v1/machineconfigpools");
/** The pools of the control plane, which every update needs. */
const CONTROL_PLANE_POOLS = ["master", "arbiter"];

/** As an API server allows them. They end in commands to copy, so nothing else that an archive may hold gets past. */
const POOL_NAME = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/;

/** The names of the pools that may be paused; empty if there are none, or if they can't be read. */
export async function readPausablePools(reader: Reader, signal: AbortSignal): Promise<readonly string[]> {
  let names: string[] = [];
  const begin = () => {
    names = [];
    return (pool: JsonObject): void => void names.push(textAt(pool, "metadata", "name") ?? "");
  };
  const read = await reader.list(POOLS, begin, signal, "metadata");
  if (read.kind !== "listed") return [];
  return names.filter((name) => POOL_NAME.test(name) && !CONTROL_PLANE_POOLS.includes(name)).toSorted(compareText);
}
