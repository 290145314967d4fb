import { createHash } from "node:crypto";
import { join, basename, sep } from "node:path";
import type { JsonObject } from "../../../model/json.ts";
import { formatCanonicalJson, objectAt, parseObject, textAt, isList, isObject, listAt } from "../../../model/json.ts";
import { isInFuture } from "../../../model/document.ts";
import { getAge } from "../../../model/time.ts";
import type { LoadedFleetValues } from "./definition.ts";
import { VERSION } from "../../../model/program-version.ts";
import type { ReachableCluster } from "../../process/messages.ts";
import { readTextFile } from "../../../files/named-file.ts";
import type { FleetCluster, FleetContext } from "../../../format/fleet/cluster.ts";
import { buildInvalid, parseClusterResult, buildWithoutResult } from "../../../format/fleet/cluster.ts";
import type { Acceptance } from "../../../model/unseen.ts";
import { type Check, getUnknownRiskName } from "../../../model/check.ts";
import { errorCode, formatError, FailedError } from "../../../model/errors.ts";
import { stat } from "node:fs/promises";
import { listFiles } from "../../../files/named-folder.ts";

/** What a result says besides the document: which cluster it is about, and what was asked. */
type ResultOrigin = { readonly cluster: string; readonly request: JsonObject };

const MAX_LENGTH = 150;

/** The file of a cluster's result. Names of contexts may hold any character, and be longer than names of files. */
export function getResultPath(folder: string, name: string): string {
  const safe = encodeURIComponent(name).replaceAll("*", "%2A").replace(/^\./, "%2E");
  if (safe.length <= MAX_LENGTH) return join(folder, `${safe}.json`);
  const digest = createHash("sha256").update(name).digest("hex").slice(0, 16);
  return join(folder, `${safe.slice(0, MAX_LENGTH)}-${digest}.json`);
}

/** What decides the content of a result: one of another request is not used. */
export function buildResultOrigin(
  { name, kubeconfig, context, hostedCluster }: ReachableCluster,
  values: LoadedFleetValues,
): ResultOrigin {
  const { to, target, crds, graph, promql, only, skip, lifted, checkSet } = values;
  const request = {
    preflight: VERSION,
    kubeconfig,
    context,
    hostedCluster,
    to,
    target,
    "target-version": values["target-version"],
    "to-image": values["to-image"],
    "signature-store": values["signature-store"],
    crds,
    graph,
    promql,
    only,
    skip,
    checks: checkSet.digest,
    "checks-from": values["checks-from"],
    grants: values.config?.checks,
    lifted,
    "unknown-risks": values["unknown-risks"],
  };
  // As a result has it: without what was not asked for.
  return { cluster: name, request: parseObject(JSON.stringify(request)) ?? {} };
}

/** Whether a result answers this request and is young enough. A cluster that could not be checked is tried again. */
export function isReusable(text: string, origin: ResultOrigin, maxAge: number, now: Date): boolean {
  const value = parseObject(text);
  if (textAt(value, "executionStatus") !== "completed") return false;
  if (formatCanonicalJson(objectAt(value, "fleet", "request")) !== formatCanonicalJson(origin.request)) return false;
  const observedAt = textAt(value, "observedAt");
  const age = getAge(observedAt, now);
  return age !== undefined && age <= maxAge && maxAge > 0 && !isInFuture({ observedAt }, now);
}

const MAX_BYTES = 64 * 1024 * 1024;

export function createResultContext(
  now: Date,
  maxAge: number,
  acceptances: readonly Acceptance[],
  checks: readonly Check[],
): FleetContext {
  return {
    now,
    maxAge,
    acceptances,
    effects: new Map(checks.flatMap(({ risks }) => risks.map(({ name, effect }) => [name, effect] as const))),
    unknownNames: new Map(checks.map((check) => [check.id, getUnknownRiskName(check)])),
  };
}

/** A file that can't be read is a result that is not valid. */
export async function readClusterResult(name: string, file: string, context: FleetContext): Promise<FleetCluster> {
  try {
    return { ...(await parseClusterResult(name, await readTextFile(file, MAX_BYTES), context)), file };
  } catch (thrown) {
    return buildInvalid(name, `${file} can't be read: ${formatError(thrown)}`);
  }
}

/** Undefined if there is none yet. */
export async function findResultText(file: string): Promise<string | undefined> {
  try {
    return await readTextFile(file, MAX_BYTES);
  } catch (thrown) {
    if (errorCode(thrown) === "ENOENT") return undefined;
    return "";
  }
}

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
    throw new FailedError(
      `--from ${path} can't be read: ${why}: name a file of "preflight check -o json", or a folder of them`,
    );
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
