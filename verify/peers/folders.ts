import { setTimeout as sleep } from "node:timers/promises";
import { readManifests } from "../../src/manifests/files/read-manifests.ts";
import { type JsonObject, objectAt, objectsAt, parseObject, textAt } from "../../src/model/json.ts";
import type { Manifest, UnreadManifest } from "../../src/model/manifest.ts";
import type { AdminApi } from "../api-server/admin-api.ts";
import { CRDS, NAMESPACES } from "../api-server/api-path.ts";
import { spawnPreflight } from "../shared/preflight.ts";
import { type ServedKinds, askServer, readKinds } from "./server.ts";

/** What is said of the manifests of a folder, beside what an API server does with each. `unknown` and `unread`: what was not judged. */
export type FolderScore = {
  readonly objects: number;
  readonly findings: number;
  readonly unknown: number;
  readonly unread: number;
  /** Objects that both find wrong; that only we do; that only the API server does. As sentences. */
  readonly both: readonly string[];
  readonly wrong: readonly string[];
  readonly missed: readonly string[];
};

/** Judges a folder with its own CRDs, and asks an API server that has them. */
export async function compareFolder(api: AdminApi, folder: string, minor: number): Promise<FolderScore> {
  const read = [];
  for await (const one of readManifests([folder])) read.push(one);
  const manifests = read.filter(isManifest);
  const { out, err } = await spawnPreflight(["manifests", folder, "--to", `v1.${minor}`, "-o", "json"]);
  const report = parseObject(out);
  if (report === undefined) throw new Error(`preflight said nothing of ${folder}: ${err}`);
  const kinds = await install(
    api,
    manifests.map(({ object }) => object),
  );
  const findings = objectsAt(report, "findings").filter(({ effect }) => effect === "refused" || effect === "dropped");
  const own = Map.groupBy(findings, keyOfEntry);
  const open = Map.groupBy(objectsAt(report, "unknowns"), keyOfEntry);
  const lists: Record<"both" | "wrong" | "missed", string[]> = { both: [], wrong: [], missed: [] };
  for (const [key, same] of Map.groupBy(manifests, keyOf)) {
    const refusal = await findRefusal(api, kinds, same);
    const said = own.get(key)?.map((one) => textAt(one, "message") ?? "");
    if (said !== undefined) lists[refusal === undefined ? "wrong" : "both"].push(`${key}: ${said.join("; ")}`);
    else if (refusal !== undefined && !open.has(key)) lists.missed.push(`${key}: ${refusal}`);
  }
  const unread = read.length - manifests.length;
  return { objects: manifests.length, findings: findings.length, unknown: open.size, unread, ...lists };
}

function isManifest<M extends Manifest>(one: M | UnreadManifest): one is M {
  return "object" in one;
}

/** Why one of some objects is refused. What was made so that others can be asked about, is there already. */
async function findRefusal(
  api: AdminApi,
  kinds: ServedKinds,
  manifests: readonly Manifest[],
): Promise<string | undefined> {
  for (const { object, repeated = [] } of manifests) {
    if (repeated.length > 0) return "a field stands twice, which the text alone shows";
    const { fate, reason } = await askServer(api, kinds, { object });
    if (fate === "refused" && !reason.startsWith("409 ")) return reason;
  }
  return undefined;
}

/** A file may hold an object twice. */
function keyOf({ object, locate }: Manifest): string {
  const { file } = locate([]);
  return formatKey(file, textAt(object, "kind"), textAt(object, "metadata", "name"));
}

function keyOfEntry(entry: JsonObject): string {
  return formatKey(textAt(entry, "place", "file"), textAt(entry, "object", "kind"), textAt(entry, "object", "name"));
}

function formatKey(file = "", kind = "", name = ""): string {
  return `${file} ${kind} ${name}`;
}

/** Namespaces as they are named, and the CRDs that an API server takes, without webhooks that nothing answers. */
async function install(api: AdminApi, objects: readonly JsonObject[]): Promise<ServedKinds> {
  const namespaces = new Set(objects.map((object) => textAt(object, "metadata", "namespace") ?? "default"));
  for (const name of namespaces)
    await api.call("POST", NAMESPACES, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  const wanted = new Set<string>();
  for (const crd of objects.filter(({ kind }) => kind === "CustomResourceDefinition")) {
    const spec = { ...objectAt(crd, "spec"), conversion: { strategy: "None" } };
    // kubectl leaves it out, too.
    const { resourceVersion: _version, ...metadata } = objectAt(crd, "metadata");
    const { code, body } = await api.call("POST", CRDS, { ...crd, metadata, spec });
    const served = objectsAt(body, "spec", "versions").filter((version) => version["served"] === true);
    const kind = `${textAt(body, "spec", "names", "kind")}`;
    if (code === 201) for (const one of served) wanted.add(`${textAt(spec, "group")}/${textAt(one, "name")} ${kind}`);
  }
  return waitForKinds(api, wanted);
}

const PAUSE_MS = 100;
const MAX_TRIES = 300;

/** A new kind is served a moment later. */
async function waitForKinds(api: AdminApi, wanted: ReadonlySet<string>): Promise<ServedKinds> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const kinds = await readKinds(api);
    if ([...wanted].every((kind) => kinds.has(kind))) return kinds;
    await sleep(PAUSE_MS);
  }
  throw new Error("the API server doesn't serve the CRDs");
}
