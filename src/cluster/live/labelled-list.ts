import type { JsonObject } from "../../model/json.ts";
import type { Absence, ListSummary, ReadFailure } from "../../model/reader.ts";
import { buildResourcePath, parseResource } from "../../model/resource.ts";
import type { Connection } from "../access/connection.ts";
import { type TransportOptions, createTransport } from "../access/transport.ts";
import { judgeMissingKind } from "./absence.ts";
import { createDiscovery } from "./discovery.ts";
import { listObjects } from "./object-list.ts";

/** The ConfigMaps of one namespace that have a label. A list of all of them would hold everything that anybody stores. */
export type LabelledList = ListSummary | Absence | ReadFailure;

export async function listLabelledConfigMaps(
  connection: Connection,
  options: TransportOptions,
  namespace: string,
  label: string,
  begin: () => (object: JsonObject) => void,
  signal: AbortSignal,
): Promise<LabelledList> {
  const resource = parseResource("v1/configmaps");
  const transport = createTransport(connection, options);
  const path = buildResourcePath(resource, namespace);
  const result = await listObjects({ transport, path, signal, resource, namespace, labelSelector: label }, begin);
  if (result.kind !== "absent") return result;
  return judgeMissingKind({ path, resource, discovery: createDiscovery(transport), signal });
}
