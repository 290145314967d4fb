import { readTextFile } from "../../../files/named-file.ts";
import type { FleetCluster, FleetContext, ManagedCluster } from "../../../format/fleet/cluster.ts";
import { buildInvalid, buildWithoutResult, parseClusterResult } from "../../../format/fleet/cluster.ts";
import { formatError } from "../../../model/errors.ts";
import { isList, isObject, type JsonObject, listAt, objectAt, parseObject, textAt } from "../../../model/json.ts";
import type { FleetSource } from "./sources.ts";

/** A list of ConfigMaps holds the documents of a whole fleet. */
const MAX_WRITTEN_BYTES = 512 * 1024 * 1024;

/** What a file holds of clusters, one after the other: a result's text, what there is instead of one, or what a hub knows. */
export type WrittenItem =
  | { readonly kind: "result"; readonly name: string; readonly text: string; readonly file?: string }
  | { readonly kind: "none"; readonly cluster: FleetCluster }
  | { readonly kind: "managed"; readonly cluster: ManagedCluster; readonly clusterId: string | undefined };

/** The results that clusters wrote to files, each under the name that it says, or of its file. */
export async function* readWrittenItems(sources: readonly FleetSource[]): AsyncGenerator<WrittenItem> {
  for (const source of sources) if (source.kind === "results") yield* readFile(source);
}

type WrittenResults = { readonly clusters: readonly FleetCluster[]; readonly managed: readonly ManagedItem[] };

/** Each result is judged, and reduced to what a fleet shows of it, before the next one is read. */
export async function readWrittenResults(
  sources: readonly FleetSource[],
  context: FleetContext,
): Promise<WrittenResults> {
  const clusters: FleetCluster[] = [];
  const managed: ManagedItem[] = [];
  for await (const item of readWrittenItems(sources)) {
    if (item.kind === "managed") managed.push(item);
    else clusters.push(item.kind === "none" ? item.cluster : await judgeItem(item, context));
  }
  return { clusters, managed };
}

export async function judgeItem(
  { name, text, file }: Extract<WrittenItem, { kind: "result" }>,
  context: FleetContext,
): Promise<FleetCluster> {
  const cluster = await parseClusterResult(name, text, context);
  return file === undefined ? cluster : { ...cluster, file };
}

type ManagedItem = Extract<WrittenItem, { kind: "managed" }>;

/** Says of each cluster what the hub knows of it, by its ID or its name. One of which nothing was written has no result. */
export function addManaged({ clusters, managed }: WrittenResults): readonly FleetCluster[] {
  const byId = new Map(managed.flatMap((item) => (item.clusterId === undefined ? [] : [[item.clusterId, item]])));
  const byName = new Map(managed.map((item) => [item.cluster.name, item]));
  const used = new Set<ManagedItem>();
  const known = clusters.map((cluster) => {
    const item = byId.get(cluster.clusterId ?? "") ?? byName.get(cluster.name);
    if (item === undefined) return cluster;
    used.add(item);
    return { ...cluster, managed: item.cluster };
  });
  const missing = managed.filter((item) => !used.has(item));
  return [...known, ...missing.map(({ cluster }) => ({ ...buildUnwritten(cluster.name), managed: cluster }))];
}

function buildUnwritten(name: string): FleetCluster {
  const message = `The hub has a ManagedCluster ${name}, and --from has no result of it: check it too.`;
  return buildWithoutResult(name, "running", { reason: "NoResult", message });
}

async function* readFile({ name, path }: FleetSource): AsyncGenerator<WrittenItem> {
  let text = "";
  try {
    text = await readTextFile(path, MAX_WRITTEN_BYTES);
  } catch (thrown) {
    yield { kind: "none", cluster: buildInvalid(name, formatError(thrown)) };
    return;
  }
  const value = parseObject(text);
  const kind = textAt(value, "kind") ?? "";
  if (value !== undefined && (kind in READERS || kind.endsWith("List"))) yield* readObjects(value);
  else yield { kind: "result", name: textAt(value, "fleet", "cluster") ?? name, text, file: path };
}

/** As `kubectl get -o json` prints them: ConfigMaps with a result in each key, and what a hub has of managed clusters. */
function* readObjects(value: JsonObject): Generator<WrittenItem> {
  const items = isList(value["items"]) ? value["items"] : [value];
  for (const item of items.filter(isObject)) {
    const kind = textAt(item, "kind");
    if (kind === "ManifestWork") yield READERS.ManifestWork(item);
    else if (kind === "ManagedCluster") yield READERS.ManagedCluster(item);
    else yield* READERS.ConfigMap(item);
  }
}

const READERS = { ConfigMap: readConfigMap, ManifestWork: readManifestWork, ManagedCluster: readManagedCluster };

function* readConfigMap(item: JsonObject): Generator<WrittenItem> {
  for (const [key, text] of Object.entries(objectAt(item, "data"))) {
    if (typeof text !== "string" || !key.endsWith(".json")) continue;
    const origin = textAt(parseObject(text), "fleet", "cluster");
    yield { kind: "result", name: origin ?? key.replace(/\.json$/, ""), text };
  }
}

/** The hub has a ManifestWork in the namespace of each managed cluster, and the work agent's feedback in its status. */
function readManifestWork(work: JsonObject): WrittenItem {
  const name = textAt(work, "metadata", "namespace") ?? "";
  const values = listAt(work, "status", "resourceStatus", "manifests").flatMap((manifest) =>
    listAt(manifest, "statusFeedback", "values"),
  );
  const document = values.find((one) => textAt(one, "name") === "document");
  const text = textAt(document, "fieldValue", "string") ?? "";
  if (text !== "") return { kind: "result", name, text };
  const message = "No document has come back from the cluster yet: look at CronJob preflight-fleet/preflight on it.";
  return { kind: "none", cluster: buildWithoutResult(name, "running", { reason: "NoFeedback", message }) };
}

function readManagedCluster(item: JsonObject): WrittenItem {
  const labels = Object.entries(objectAt(item, "metadata", "labels")).flatMap(([key, value]) =>
    typeof value === "string" ? [[key, value] as const] : [],
  );
  const cluster = { name: textAt(item, "metadata", "name") ?? "", labels: new Map(labels) };
  return { kind: "managed", cluster, clusterId: cluster.labels.get("clusterID") };
}
