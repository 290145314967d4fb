import { stat } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { readTextFile } from "../../../files/named-file.ts";
import { listFiles } from "../../../files/named-folder.ts";
import {
  buildInvalid,
  buildWithoutResult,
  type FleetCluster,
  type FleetContext,
  parseClusterResult,
} from "../../../format/fleet/cluster.ts";
import { FailedError, errorCode, formatError } from "../../../model/errors.ts";
import { isList, isObject, type JsonObject, listAt, objectAt, parseObject, textAt } from "../../../model/json.ts";

/** A list of ConfigMaps holds the documents of a whole fleet. */
const MAX_WRITTEN_BYTES = 512 * 1024 * 1024;

/** The results that clusters wrote to folders and files, each under the name of its file. Throws a FailedError if a path has none. */
export async function readWrittenResults(
  paths: readonly string[],
  context: FleetContext,
): Promise<readonly FleetCluster[]> {
  const clusters: FleetCluster[] = [];
  for (const path of paths) {
    const before = clusters.length;
    for (const file of await findFiles(path)) clusters.push(...(await readFile(path, file, context)));
    if (clusters.length === before)
      throw new FailedError(`${path} has no result: name a folder with .json files, or a list of ConfigMaps`);
  }
  return clusters;
}

/** The .json files of a folder and of the folders in it. A hidden file is one that is being written. */
async function findFiles(path: string): Promise<readonly string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const names = await listFiles(path);
    const results = names.filter(
      (name) => name.endsWith(".json") && !name.split(sep).some((one) => one.startsWith(".")),
    );
    return results.map((name) => join(path, name));
  } catch (thrown) {
    const why = errorCode(thrown) === "ENOENT" ? "it does not exist" : formatError(thrown);
    throw new FailedError(`--from ${path} can't be read: ${why}`);
  }
}

async function readFile(root: string, file: string, context: FleetContext): Promise<readonly FleetCluster[]> {
  const name = nameFile(root, file);
  let text = "";
  try {
    text = await readTextFile(file, MAX_WRITTEN_BYTES);
  } catch (thrown) {
    return [buildInvalid(name, formatError(thrown))];
  }
  const value = parseObject(text);
  const kind = textAt(value, "kind") ?? "";
  if (value !== undefined && (OBJECT_KINDS.has(kind) || kind.endsWith("List"))) return readObjects(value, context);
  return [{ ...(await parseClusterResult(textAt(value, "fleet", "cluster") ?? name, text, context)), file }];
}

/** "prod-1" of DIR/prod-1.json; "prod-1/preflight-v1" of DIR/prod-1/preflight-v1.json. */
function nameFile(root: string, file: string): string {
  const inner = file === root ? basename(file) : file.slice(root.length).replace(/^[/\\]+/, "");
  const name = inner.replace(/\.json$/, "");
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

const OBJECT_KINDS: ReadonlySet<string> = new Set(["ConfigMap", "ManifestWork"]);

/** As `kubectl get -o json` prints them: ConfigMaps with a result in each key, and the ManifestWorks of managed clusters. */
async function readObjects(value: JsonObject, context: FleetContext): Promise<readonly FleetCluster[]> {
  const items = isList(value["items"]) ? value["items"] : [value];
  const clusters: FleetCluster[] = [];
  for (const item of items.filter(isObject)) {
    if (textAt(item, "kind") === "ManifestWork") clusters.push(await readManifestWork(item, context));
    else clusters.push(...(await readConfigMap(item, context)));
  }
  return clusters;
}

async function readConfigMap(item: JsonObject, context: FleetContext): Promise<readonly FleetCluster[]> {
  const clusters: FleetCluster[] = [];
  for (const [key, text] of Object.entries(objectAt(item, "data"))) {
    if (typeof text !== "string" || !key.endsWith(".json")) continue;
    const origin = textAt(parseObject(text), "fleet", "cluster");
    clusters.push(await parseClusterResult(origin ?? key.replace(/\.json$/, ""), text, context));
  }
  return clusters;
}

/** The hub has a ManifestWork in the namespace of each managed cluster, and the work agent's feedback in its status. */
async function readManifestWork(work: JsonObject, context: FleetContext): Promise<FleetCluster> {
  const name = textAt(work, "metadata", "namespace") ?? "";
  const values = listAt(work, "status", "resourceStatus", "manifests").flatMap((manifest) =>
    listAt(manifest, "statusFeedback", "values"),
  );
  const document = values.find((one) => textAt(one, "name") === "document");
  const text = textAt(document, "fieldValue", "string") ?? "";
  if (text !== "") return parseClusterResult(name, text, context);
  const message = "No document has come back from the cluster yet: look at CronJob preflight-fleet/preflight on it.";
  return buildWithoutResult(name, { verdict: "running", problem: { reason: "NoFeedback", message } });
}
